import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Fault } from '../answers/fault.tsx'
import { DownIcon } from '../icons.tsx'
import type { LeaveWords } from '../records/leave-dialog.tsx'
import { LeaveQuestion } from '../records/leave-question.tsx'
import { formatBytes, readBlob, saveFile } from './download.ts'

interface ExportChoice {
  readonly id: string
  readonly words: string
  readonly fileName: string
  readonly read: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
}

interface ExportMenuProps {
  readonly choices: readonly ExportChoice[]
  /** A description of the files, if it is not obvious. */
  readonly note?: string
  readonly isDisabled?: boolean
}

const leaveWords: LeaveWords = {
  title: 'Leave and cancel the export?',
  text: 'The file is not complete yet.',
  leave: 'Leave and cancel',
}

/**
 * A menu that saves results as a file in one of several formats. Cancelling the download, or leaving the page, ends its
 * query.
 */
export function ExportMenu({ choices, note, isDisabled = false }: ExportMenuProps) {
  const running = useRef<AbortController>(undefined)
  const [bytes, setBytes] = useState(0)
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async (id: string) => {
      const choice = choices.find((each) => each.id === id)
      if (choice === undefined) return
      const controller = new AbortController()
      running.current = controller
      setBytes(0)
      try {
        saveFile(await readBlob(await choice.read(controller.signal), setBytes), choice.fileName)
      } catch (fault) {
        if (!controller.signal.aborted) throw fault
      }
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  if (isPending) {
    return (
      <span className="exporting" role="status">
        Exporting… {bytes > 0 && formatBytes(bytes)}{' '}
        <Button className="button" onPress={() => running.current?.abort()}>
          Cancel
        </Button>
        <LeaveQuestion isEdited words={leaveWords} />
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
          <Menu className="options" onAction={(key) => mutate(String(key))}>
            {choices.map(({ id, words }) => (
              <MenuItem key={id} id={id} className="option">
                {words}
              </MenuItem>
            ))}
          </Menu>
          {note !== undefined && <p className="soft menu-note">{note}</p>}
        </Popover>
      </MenuTrigger>
      {error !== null && <Fault error={error} retry={() => variables !== undefined && mutate(variables)} />}
    </>
  )
}
