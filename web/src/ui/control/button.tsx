import type { ButtonHTMLAttributes, ReactNode } from 'react'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
  /** `primary` is the main action of a screen; there is at most one in view. */
  look?: 'primary' | 'quiet' | 'text' | 'danger'
  /** Shows that the tap is being worked on, and takes no second one. It keeps the focus, which a disabled button loses. */
  busy?: boolean
  /** Looks disabled but can be tapped, and the tap shows what is missing. */
  dimmed?: boolean
  submit?: boolean
  block?: boolean
  children: ReactNode
}

export function Button({
  look = 'quiet',
  busy = false,
  dimmed = false,
  submit = false,
  block = false,
  ...rest
}: Props) {
  const { children, disabled, className, onClick, ...attributes } = rest
  return (
    <button
      {...attributes}
      type={submit ? 'submit' : 'button'}
      className={['button', className].filter(Boolean).join(' ')}
      data-look={look}
      data-block={block || undefined}
      data-dimmed={dimmed || undefined}
      aria-disabled={dimmed || busy || undefined}
      aria-busy={busy || undefined}
      disabled={disabled === true && !busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      <span>{children}</span>
    </button>
  )
}
