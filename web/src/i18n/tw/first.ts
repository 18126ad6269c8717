import { home } from './home.ts'
import { shell } from './shell.ts'

/** What is said before anybody has gone beyond home. */
export const first = {
  ...home,
  ...shell,
}
