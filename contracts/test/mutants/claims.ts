import type { Mutant } from './mutant.ts'

const line = (bug: string, search: string): Mutant => ({ bug, search: `        ${search}\n`, replace: '' })

/** Planted bugs in claims of members in exit mode. */
export const claims: readonly Mutant[] = [
  {
    bug: 'claims of leaves that are in no tree are paid',
    search: 'NotInExit());\n        _requireInTree(leaf, salt, path);\n',
    replace: 'NotInExit());\n',
  },
  line('a claim can be made again', '_claims[member][i] = due.claims;'),
  {
    bug: 'what could not be sent is lost',
    search: '            _claims[member][i] = claims;\n',
    replace: '',
  },
  { bug: 'a token may call claim again', search: 'path) external nonReentrant {', replace: 'path) external {' },
  {
    bug: 'who sends the claim is paid',
    search: '_trySend(asset, member, due.amount)) {',
    replace: '_trySend(asset, msg.sender, due.amount)) {',
  },
  {
    bug: 'a claim that pays nothing passes',
    search: '        require(any, NothingToClaim(leaf.member));\n',
    replace: '        any;\n',
  },
  line('claims emit nothing', 'emit Claimed(member, asset, due.amount);'),
  {
    bug: 'what was paid since is paid again',
    search: 'first = part > paid ? part - paid : 0;',
    replace: 'first = part;',
  },
  {
    bug: 'who was paid more than its share claims what is not there',
    search: 'part > paid ? part - paid : 0',
    replace: 'part - paid',
  },
  {
    bug: 'everybody gets all while there is some',
    search: 'isShort ? owed * pot.held / sum : owed',
    replace: 'owed',
  },
  {
    bug: 'a share is more than is owed',
    search: 'bool isShort = pot.held < sum;',
    replace: 'bool isShort = pot.held != sum;',
  },
  { bug: 'who was paid all claims again', search: 'if (paid >= owed || pot.held', replace: 'if (pot.held' },
  {
    bug: 'the contract claims its own leaf',
    search: ' || member == address(this)',
    replace: '',
  },
  {
    bug: 'where nothing is held claims are used up',
    search: 'paid >= owed || pot.held == 0',
    replace: 'paid >= owed',
  },
  {
    bug: 'something is claimable before the exit',
    search: '        if (exitedAt == 0) return amounts;\n',
    replace: '',
  },
  {
    bug: 'who comes after the year joins those who share',
    search: 'if (lacking == 0 || !pot.isSharedAgain) {',
    replace: 'if (lacking == 0 || paid != owed) {',
  },
  {
    bug: 'claims end after a year where enough is held',
    search: 'if (lacking == 0 || !pot.isSharedAgain) {',
    replace: 'if (!pot.isSharedAgain) {',
  },
  { bug: 'the rest can be claimed again and again', search: ' || due.claims == ALL', replace: '' },
  {
    bug: 'the rest can be claimed before the year is over',
    search: '        if (!pot.isSharedAgain) return pot;\n',
    replace: '        pot.isSharedAgain = shared.lacking != 0;\n        if (!pot.isSharedAgain) return pot;\n',
  },
  {
    bug: 'everybody gets all that it lacks',
    search: 'pot.left < lackingToAll ? lacking * pot.left / lackingToAll : lacking',
    replace: 'lacking',
  },
  {
    bug: 'of the rest more is given than is lacking',
    search: 'pot.left < lackingToAll ? lacking * pot.left',
    replace: 'pot.left != lackingToAll ? lacking * pot.left',
  },
  { bug: 'what members lack is not added up', search: 'shared.lacking += due.lacking', replace: 'shared.lacking = 0' },
  {
    bug: 'the year goes by while nobody can be sent anything',
    search: '            if (shared.lacking == 0) shared.sharedAgainAt = block.timestamp + SHARING_DELAY;\n',
    replace: '',
  },
  {
    bug: 'each claim begins the year anew',
    search: 'if (shared.lacking == 0) shared.sharedAgainAt',
    replace: 'shared.sharedAgainAt',
  },
  {
    bug: 'the year is over before anybody has claimed',
    search: 'shared.lacking != 0 && block.timestamp',
    replace: 'block.timestamp',
  },
  {
    bug: 'a claim of nothing begins the year while nothing can be sent',
    search: 'if (!_trySend(asset, member, due.amount))',
    replace: 'if (due.amount != 0 && !_trySend(asset, member, due.amount))',
  },
  {
    bug: 'only what the last one lacks counts',
    search: 'shared.lacking += due.lacking',
    replace: 'shared.lacking = due.lacking',
  },
  {
    bug: 'each claim fixes anew what is left',
    search: '        if (pot.left != 0) return pot;\n',
    replace: '',
  },
  {
    bug: 'what the others are due is shared',
    search: 'pot.left = pot.balance > kept ? pot.balance - kept : 0;',
    replace: 'pot.left = pot.balance;',
  },
  {
    bug: 'less left than the others are due locks the rest',
    search: 'pot.balance > kept ? pot.balance - kept : 0',
    replace: 'pot.balance - kept',
  },
  {
    bug: 'what was paid out counts as due to others',
    search: ' - paid.toInt256() - _settled[i]',
    replace: ' - _settled[i]',
  },
  {
    bug: 'what has been claimed counts as due to others',
    search: ' - _settled[i] - settling',
    replace: ' - settling',
  },
  { bug: 'a late claim is due to others', search: ' - _settled[i] - settling', replace: ' - _settled[i]' },
  {
    bug: 'claims settle nothing',
    search: '        if (claims == 0) _settled[i] += due.settled;\n',
    replace: '',
  },
  { bug: 'each claim settles again', search: 'if (claims == 0) _settled', replace: 'if (claims != 5) _settled' },
  {
    bug: 'all that was ever paid counts against who comes late',
    search: '_paidInAll[asset] - _paidBefore[asset]',
    replace: '_paidInAll[asset]',
  },
  {
    bug: 'payments before the attestation do not count',
    search: '_paidInAll[asset] - _paidBefore[asset]',
    replace: '_paidInAll[asset] - _paidAtLast[asset]',
  },
  {
    bug: 'who comes late takes what is promised',
    search: 'pot.promised + _keptForOthers(',
    replace: '_keptForOthers(',
  },
  {
    bug: 'who comes late takes what others are due',
    search: 'pot.promised + _keptForOthers(i, pot.held, settling)',
    replace: 'pot.promised + settling.toUint256() - settling.toUint256()',
  },
  {
    bug: 'who comes late gets more than its leaf',
    search: 'return lacks < free ? lacks : free;',
    replace: 'return lacks < free ? free : free;',
  },
  {
    bug: 'what was claimed again stays promised',
    search: '            if (claims == FIRST) _promised[i] -= due.amount;\n',
    replace: '',
  },
  {
    bug: 'a late claim is taken from what is promised',
    search: 'if (claims == FIRST) _promised[i]',
    replace: 'if (_promised[i] >= due.amount) _promised[i]',
  },
  {
    bug: 'more is promised than is lacking',
    search: 'pot.left < shared.lacking ? pot.left : shared.lacking',
    replace: 'pot.left',
  },
  {
    bug: 'the year is over a second late',
    search: 'block.timestamp >= shared.sharedAgainAt',
    replace: 'block.timestamp > shared.sharedAgainAt',
  },
  {
    bug: 'a first claim counts as one of the rest',
    search: '[claims[0] > 1, claims[1] > 1, claims[2] > 1]',
    replace: '[claims[0] > 0, claims[1] > 0, claims[2] > 0]',
  },
  {
    bug: 'payments before the attested block are deducted',
    search: ' - paid.upperLookupRecent(_last.blockNumber)',
    replace: '',
  },
  {
    bug: 'payments in the attested block are deducted',
    search: 'upperLookupRecent(_last.blockNumber)',
    replace: 'upperLookupRecent(_last.blockNumber - 1)',
  },
  {
    bug: 'payments before the attestation are not deducted',
    search: 'upperLookupRecent(_last.blockNumber)',
    replace: 'upperLookupRecent(_last.blockNumber + 1)',
  },
  { bug: 'only the last payment is deducted', search: '(paid.latest() + amount)', replace: 'amount' },
  {
    bug: 'the native currency is not sent',
    search: '_tryNative(to, amount) : _tryToken',
    replace: 'amount != 0 : _tryToken',
  },
  {
    bug: 'a token that returns false keeps all others back',
    search: '_tryNative(to, amount) : _tryToken(asset, to, amount)',
    replace: '_tryNative(to, amount) : IERC20(asset).transfer(to, amount)',
  },
  {
    bug: 'a token that burns gas keeps all others back',
    search: 'call(SEND_GAS, asset',
    replace: 'call(gas(), asset',
  },
  {
    bug: 'a token that returns false has sent',
    search: 'and(gt(returndatasize(), 0x1f), eq(mload(0), 1))',
    replace: 'gt(returndatasize(), 0x1f)',
  },
  {
    bug: 'a token that returns nothing cannot be claimed',
    search: 'if returndatasize() {',
    replace: '{',
  },
  {
    bug: 'a token that was removed has sent',
    search: '        if (asset.code.length == 0) return false;\n',
    replace: '',
  },
  {
    bug: 'a path may be shorter than the tree is deep',
    search: 'path.length == _last.depth && ',
    replace: 'path.length <= _last.depth && ',
  },
  { bug: 'a position may be outside of the tree', search: ' && leaf.position >> path.length == 0', replace: '' },
  {
    bug: 'another root is good enough',
    search: '        require(root.hash == _last.root, NotInTree());\n',
    replace: '',
  },
  {
    bug: 'other sums are good enough',
    search: '            require(root.sums[i] == _last.sums[i], NotInTree());\n',
    replace: '',
  },
]
