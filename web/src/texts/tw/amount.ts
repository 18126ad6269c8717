/** The field for an amount, wherever one is asked for. */
export const texts = {
  'amount.available': '可用',
  'amount.max': '全部',
  'amount.didYouMean': '您的意思是',
  'amount.empty': '請輸入金額',
  'amount.notANumber': '金額只能用數字和一個小數點',
  'amount.negative': '金額不能是負數',
  'amount.separators': '請只輸入數字和一個小數點，不要加逗號',
  'amount.tooManyDecimals': '小數最多 18 位',
  'amount.notWhole': '請輸入整數',
  'amount.tooLarge': '這個數字太大了',
  'amount.zero': '金額必須大於零',
  'amount.notEnough': '超過可用金額',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
