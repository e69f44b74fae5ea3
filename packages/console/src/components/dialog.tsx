import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  dialogRef: RefObject<HTMLDialogElement | null>
  onClose?: () => void
  /** Whether only a control of the content closes it, because the content cannot be shown again. */
  isKeptOpen?: boolean
  children?: ComponentChildren
}

/** A modal dialog. Escape, the button and a click beside it close it. */
export function Dialog({
  title,
  dialogRef,
  onClose,
  isKeptOpen = false,
  children,
}: DialogProps): JSX.Element {
  return (
    <dialog
      ref={dialogRef}
      aria-label={title}
      onClose={() => onClose?.()}
      onClick={(event) => {
        if (event.target === dialogRef.current && !isKeptOpen) dialogRef.current?.close()
      }}
      onCancel={(event) => {
        if (isKeptOpen) event.preventDefault()
      }}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          {!isKeptOpen && (
            <button type="button" class="button small ghost" onClick={() => dialogRef.current?.close()}>
              Close
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** A dialog that is open for as long as it is rendered. */
export function OpenDialog({
  title,
  onClose,
  isKeptOpen = false,
  children,
}: Omit<DialogProps, 'dialogRef'>): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <Dialog title={title} dialogRef={dialog} isKeptOpen={isKeptOpen} {...(onClose ? { onClose } : {})}>
      {children}
    </Dialog>
  )
}
