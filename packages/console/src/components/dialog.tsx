import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  dialogRef: RefObject<HTMLDialogElement | null>
  onClose?: () => void
  children?: ComponentChildren
}

/** A modal dialog. Escape, the button and a click beside it close it. */
export function Dialog({ title, dialogRef, onClose, children }: DialogProps): JSX.Element {
  return (
    <dialog
      ref={dialogRef}
      aria-label={title}
      onClose={() => onClose?.()}
      onClick={(event) => {
        if (event.target === dialogRef.current) dialogRef.current?.close()
      }}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <button type="button" class="button small ghost" onClick={() => dialogRef.current?.close()}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** A dialog that is open for as long as it is rendered. */
export function OpenDialog({ title, onClose, children }: Omit<DialogProps, 'dialogRef'>): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <Dialog title={title} dialogRef={dialog} {...(onClose ? { onClose } : {})}>
      {children}
    </Dialog>
  )
}
