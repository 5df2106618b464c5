import { useRef, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { formatBytes, readBlob, saveFile } from './download.ts'
import { Fault } from './fault.tsx'
import { DownIcon } from './icons.tsx'

interface ExportChoice {
  readonly id: string
  readonly words: string
  readonly fileName: string
  readonly ask: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null>
}

interface ExportMenuProps {
  readonly choices: readonly ExportChoice[]
  /** What the files contain, where that is not obvious. */
  readonly note?: string
  readonly isDisabled?: boolean
}

/** Saves an answer as a file in one of several formats. Cancelling ends the query on the server. */
export function ExportMenu({ choices, note, isDisabled = false }: ExportMenuProps) {
  const running = useRef<AbortController>(undefined)
  const [bytes, setBytes] = useState<number>()
  const [error, setError] = useState<Error>()
  const start = async ({ ask, fileName }: ExportChoice) => {
    const controller = new AbortController()
    running.current = controller
    setError(undefined)
    setBytes(0)
    try {
      saveFile(await readBlob(await ask(controller.signal), setBytes), fileName)
    } catch (fault) {
      if (!controller.signal.aborted) setError(fault instanceof Error ? fault : new Error(String(fault)))
    } finally {
      setBytes(undefined)
    }
  }
  if (bytes !== undefined) {
    return (
      <span className="exporting" role="status">
        Exporting… {bytes > 0 && formatBytes(bytes)}{' '}
        <Button className="button" onPress={() => running.current?.abort()}>
          Cancel
        </Button>
      </span>
    )
  }
  return (
    <>
      <MenuTrigger>
        <Button className="button" isDisabled={isDisabled}>
          Export <DownIcon />
        </Button>
        <Popover className="popover">
          <Menu
            className="options"
            onAction={(key) => {
              const choice = choices.find(({ id }) => id === key)
              if (choice !== undefined) void start(choice)
            }}
          >
            {choices.map(({ id, words }) => (
              <MenuItem key={id} id={id} className="option">
                {words}
              </MenuItem>
            ))}
          </Menu>
          {note !== undefined && <p className="soft menu-note">{note}</p>}
        </Popover>
      </MenuTrigger>
      {error !== undefined && <Fault error={error} />}
    </>
  )
}
