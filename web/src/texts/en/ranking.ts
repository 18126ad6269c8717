import type { texts as tw } from '../tw/ranking.ts'

export const texts: Record<keyof typeof tw, string> = {
  'list.which': 'Which list',
  'list.today': 'Today',
  'list.team': 'Team',
  'list.todayLead': 'Purchases confirmed today (UTC): your own and those of friends you invited yourself.',
  'list.teamLead': 'All purchases of your whole team, less its largest direct branch.',
  'list.displayOnly': 'For display only. Nothing is ever paid for a rank.',
  'list.yours': 'Your rank',
  'list.place': 'No. {rank}',
  'list.noPlace': 'Not on the list yet',
  'list.amount': 'Your volume',
  'list.own': 'Your own purchases',
  'list.direct': 'Direct friends’ purchases',
  'list.teamTotal': 'Team total',
  'list.largest': 'Largest branch',
  'list.todayFrom':
    'Your own purchases plus those of direct friends, confirmed within this UTC day. Updated about a second after a confirmation.',
  'list.teamFrom':
    'The team total less its largest direct branch. Your team is everybody below you, at any level, without yourself.',
  'list.countedUntil': 'Every purchase confirmed before {time} is counted',
  'list.top': 'Top 100',
  'list.empty': 'Nobody is on today’s list yet',
  'list.emptyText': 'Ranks show here once the first purchase is confirmed.',
  'list.emptyTeam': 'Nobody is on the list yet',
  'list.emptyTeamText': 'It takes purchases in at least two direct branches to have a team figure.',
}
