/** The ranking lists. */
export const texts = {
  'list.which': '選擇榜單',
  'list.today': '今日業績',
  'list.team': '團隊業績',
  'list.todayLead': '今天（UTC）確認的購買金額：您自己與直接邀請的好友合計。',
  'list.teamLead': '整個團隊的累計購買金額，減去最大的一條直推線。',
  'list.displayOnly': '榜單僅供展示，不會因名次發放任何獎勵。',
  'list.yours': '您的名次',
  'list.place': '第 {rank} 名',
  'list.noPlace': '尚未上榜',
  'list.amount': '您的業績',
  'list.own': '自己的購買',
  'list.direct': '直推好友的購買',
  'list.teamTotal': '團隊合計',
  'list.largest': '最大直推線',
  'list.todayFrom': '自己的購買加上直推好友的購買，於 UTC 今日內確認者。確認後一秒左右更新。',
  'list.teamFrom': '團隊合計減去最大直推線。團隊指您以下所有層級的好友，不含您自己。',
  'list.countedUntil': '{time} 前確認的購買都已計入',
  'list.top': '前 100 名',
  'list.empty': '今天還沒有人上榜',
  'list.emptyText': '第一筆購買確認後，名次就會出現在這裡。',
  'list.emptyTeam': '還沒有人上榜',
  'list.emptyTeamText': '需要至少兩條直推線有購買，才會有團隊業績。',
} as const

type Texts = typeof texts
declare module '../../i18n/translate.ts' {
  interface Messages extends Texts {}
}
