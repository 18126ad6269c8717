/** An amount as the app writes it: with commas between thousands. */
export const grouped = (amount: string): string =>
  amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
