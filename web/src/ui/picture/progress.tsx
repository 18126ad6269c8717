import './progress.css'

/** How much of something is done. Both figures stand beside it as well. */
export const Progress = ({ value, max, label }: { value: number; max: number; label: string }) => (
  <progress className="progress" value={value} max={max} aria-label={label} />
)
