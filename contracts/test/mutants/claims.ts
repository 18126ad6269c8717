import type { Mutant } from './mutant.ts'

const line = (bug: string, search: string): Mutant => ({ bug, search: `        ${search}\n`, replace: '' })

/** Planted bugs in claims of members in exit mode. */
export const claims: readonly Mutant[] = [
  {
    bug: 'claims of leaves that are in no tree are paid',
    search: 'NotInExit());\n        _requireInTree(leaf, salt, path);\n',
    replace: 'NotInExit());\n',
  },
  line('a claim can be made again', '_claims[member][i] += 1;'),
  {
    bug: 'what could not be sent is lost',
    search: '            _claims[member][i] -= 1;\n',
    replace: '',
  },
  { bug: 'a token may call claim again', search: 'path) external nonReentrant {', replace: 'path) external {' },
  {
    bug: 'who sends the claim is paid',
    search: '_trySend(asset, member, amount)) {',
    replace: '_trySend(asset, msg.sender, amount)) {',
  },
  {
    bug: 'a claim that pays nothing passes',
    search: '        require(any, NothingToClaim(leaf.member));\n',
    replace: '        any;\n',
  },
  line('claims emit nothing', 'emit Claimed(member, asset, amount);'),
  {
    bug: 'what was paid since is paid again',
    search: 'amount = part > paid ? part - paid : 0;',
    replace: 'amount = part;',
  },
  {
    bug: 'who was paid more than its share claims what is not there',
    search: 'part > paid ? part - paid : 0',
    replace: 'part - paid',
  },
  {
    bug: 'everybody gets all while there is some',
    search: 'held < _last.sums[i] ? owed * held / _last.sums[i] : owed',
    replace: 'owed',
  },
  {
    bug: 'a share is more than is owed',
    search: 'held < _last.sums[i] ? owed * held',
    replace: 'held != _last.sums[i] ? owed * held',
  },
  { bug: 'who was paid all claims again', search: 'if (paid >= owed || held', replace: 'if (held' },
  {
    bug: 'the contract claims its own leaf',
    search: ' || member == address(this)',
    replace: '',
  },
  {
    bug: 'where nothing is held claims are used up',
    search: 'paid >= owed || held == 0',
    replace: 'paid >= owed',
  },
  {
    bug: 'something is claimable before the exit',
    search: '        if (exitedAt == 0) return amounts;\n',
    replace: '',
  },
  {
    bug: 'who comes after the year joins those who share',
    search: 'lacking == 0 || !_isSharedAgain(i) ? (true, amount, lacking) : (false, 0, 0)',
    replace: '(true, amount, lacking)',
  },
  {
    bug: 'claims end after a year where enough is held',
    search: 'lacking == 0 || !_isSharedAgain(i) ? (true',
    replace: '!_isSharedAgain(i) ? (true',
  },
  { bug: 'the rest can be claimed again and again', search: 'if (claims > 1 || lacking', replace: 'if (lacking' },
  {
    bug: 'the rest can be claimed before the year is over',
    search: 'if (claims > 1 || lacking == 0 || !_isSharedAgain(i))',
    replace: 'if (claims > 1 || lacking == 0)',
  },
  {
    bug: 'everybody gets all that it lacks',
    search: 'left < lackingToAll ? lacking * left / lackingToAll : lacking',
    replace: 'lacking',
  },
  {
    bug: 'of the rest more is given than is lacking',
    search: 'left < lackingToAll ? lacking * left',
    replace: 'left != lackingToAll ? lacking * left',
  },
  { bug: 'what members lack is not added up', search: 'shared.lacking += lacking', replace: 'shared.lacking = 0' },
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
    search: '_shared[i].lacking != 0 && block.timestamp',
    replace: '_shared[i].sharedAgainAt != 0 && block.timestamp',
  },
  {
    bug: 'a claim of nothing begins the year while nothing can be sent',
    search: 'if (!_trySend(asset, member, amount))',
    replace: 'if (amount != 0 && !_trySend(asset, member, amount))',
  },
  {
    bug: 'only what the last one lacks counts',
    search: 'shared.lacking += lacking',
    replace: 'shared.lacking = lacking',
  },
  {
    bug: 'each claim fixes anew what is left',
    search: 'if (shared.left == 0) shared.left = _held(asset);',
    replace: 'shared.left = _held(asset);',
  },
  {
    bug: 'what is left is fixed by first claims too',
    search: '_claims[member][i] == 1 && _isSharedAgain(i)',
    replace: '_isSharedAgain(i)',
  },
  {
    bug: 'the year is over a second late',
    search: 'block.timestamp >= _shared[i]',
    replace: 'block.timestamp > _shared[i]',
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
