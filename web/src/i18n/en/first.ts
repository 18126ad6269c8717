import { home } from '../../screens/home/texts.en.ts'
import { shell } from '../../shell/texts.en.ts'

/** What is said before anybody has gone beyond home. */
export const first = {
  ...home,
  ...shell,
}
