import { home } from '../../screens/home/texts.tw.ts'
import { shell } from '../../shell/texts.tw.ts'

/** What is said before anybody has gone beyond home. */
export const first = {
  ...home,
  ...shell,
}
