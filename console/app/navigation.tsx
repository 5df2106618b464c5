import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { BrandIcon, DownIcon } from '../parts/icons.tsx'
import { isWithinPlace, linkTo, places, placesOf } from './places.tsx'

interface NavigationProps {
  /** Absent until it is known who is signed in. */
  readonly role: string | undefined
  readonly children: ReactNode
}

/** Links to every page. In a narrow window they are in a menu, whose button is the name of the current page. */
export function Navigation({ role, children }: NavigationProps) {
  const [isOpen, setOpen] = useState(false)
  const navigation = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  const search = useSearch({ strict: false })
  const current = places.find((place) => isWithinPlace(place, pathname)) ?? places[0]
  useEffect(() => {
    if (!isOpen) return
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && navigation.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [isOpen])
  const close = () => setOpen(false)
  return (
    <nav
      ref={navigation}
      className={isOpen ? 'navigation open' : 'navigation'}
      aria-label="Pages"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        close()
        button.current?.focus()
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && !navigation.current?.contains(relatedTarget)) close()
      }}
    >
      <Link {...linkTo(places[0], search)} className="brand" onClick={close}>
        <BrandIcon /> Tracefold
      </Link>
      <Button ref={button} className="button places-button" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {current.icon} {current.name} <DownIcon />
      </Button>
      <div className="places">
        {placesOf(role).map((place) => (
          <Link
            key={place.to}
            {...linkTo(place, search)}
            className="place"
            activeOptions={{ exact: place.to === '/', includeSearch: false }}
            {...(isWithinPlace(place, pathname) ? { 'aria-current': 'page' as const } : {})}
            onClick={close}
          >
            {place.icon} {place.name}
          </Link>
        ))}
        <div className="end">{children}</div>
      </div>
    </nav>
  )
}
