import { home } from '../../screens/home/texts.zh.ts'
import { shell } from '../../shell/texts.zh.ts'

/** What is said before anybody has gone beyond home. */
export const first = {
  ...home,
  ...shell,
}
