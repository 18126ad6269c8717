/** Stands where data will come, in about its size, so that nothing jumps when it does. */
export const Skeleton = ({ width, height }: { width?: number | string; height?: number | string }) => (
  <span className="skeleton" style={{ width, height }} aria-hidden="true" />
)
