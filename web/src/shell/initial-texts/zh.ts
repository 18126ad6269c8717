import { texts as navigation } from '../../navigation/texts.zh.ts'
import { texts as home } from '../../screens/home/texts.zh.ts'
import { texts as ui } from '../../ui/texts.zh.ts'
import { texts as shell } from '../texts.zh.ts'

export const texts = { ...home, ...navigation, ...shell, ...ui }
