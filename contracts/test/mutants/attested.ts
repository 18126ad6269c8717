import type { Mutant } from './mutant.ts'

/** Planted bugs in attestations, exit mode, claims and the owner's taking, and in how the tree is hashed. */

const line = (bug: string, search: string): Mutant => ({ bug, search: `        ${search}\n`, replace: '' })

const attest: readonly Mutant[] = [
  line('anybody can attest', '_requirePayer();'),
  { bug: 'a day can be attested twice', search: 'day > _last.day', replace: 'day >= _last.day' },
  {
    bug: 'a day can be attested that has not begun',
    search: 'day <= block.timestamp / 1 days',
    replace: 'day <= block.timestamp / 1 days + 1',
  },
  {
    bug: 'today cannot be attested',
    search: 'day <= block.timestamp / 1 days',
    replace: 'day < block.timestamp / 1 days',
  },
  line('a root can be zero', 'require(root != bytes32(0), ZeroRoot());'),
  {
    bug: 'a block can be attested twice',
    search: 'blockNumber > _last.blockNumber && ',
    replace: 'blockNumber >= _last.blockNumber && ',
  },
  {
    bug: 'a block can be attested that is not over',
    search: 'blockNumber < block.number',
    replace: 'blockNumber <= block.number',
  },
  { bug: 'the sequence may fall', search: 'ledgerSequence >= _last.ledgerSequence && ', replace: '' },
  {
    bug: 'the sequence has to rise',
    search: 'ledgerSequence >= _last.ledgerSequence',
    replace: 'ledgerSequence > _last.ledgerSequence',
  },
  { bug: 'the sequence is cut off', search: ' && ledgerSequence <= type(uint64).max', replace: '' },
  line('the depth is not kept', '_last.depth = _depthOf(leaves);'),
  line('the root is not kept', '_last.root = root;'),
  line('the sums are not kept', '_last.sums = sums;'),
  line('the attested subcoin is not kept', '_last.subcoin = _subcoin();'),
  line('the time is not kept', '_last.attestedAt = uint48(block.timestamp);'),
  line('the day is not kept', '_last.day = uint32(day);'),
  line('the block is not kept', '_last.blockNumber = uint48(blockNumber);'),
  line('the sequence is not kept', '_last.ledgerSequence = uint64(ledgerSequence);'),
  line('attestations emit nothing', 'emit Attested(day, root, sums, leaves, blockNumber, ledgerSequence);'),
  {
    bug: 'attesting goes on in exit mode',
    search: ') external notInExit {\n        _requirePayer();',
    replace: ') external {\n        _requirePayer();',
  },
  { bug: 'a tree may have 2^33 leaves', search: 'MAX_DEPTH = 32', replace: 'MAX_DEPTH = 33' },
  { bug: 'a tree has 2^31 leaves at most', search: 'depth <= MAX_DEPTH', replace: 'depth < MAX_DEPTH' },
]

const exit: readonly Mutant[] = [
  {
    bug: 'exit mode can begin twice',
    search: 'function enterExit() external notInExit {',
    replace: 'function enterExit() external {',
  },
  line('exit mode can begin before the first attestation', 'require(_last.attestedAt != 0, NeverAttested());'),
  {
    bug: 'exit mode can begin a second early',
    search: '_last.attestedAt + EXIT_DELAY + 1',
    replace: '_last.attestedAt + EXIT_DELAY',
  },
  {
    bug: 'exit mode can begin at any time',
    search: '        require(block.timestamp >= from, TooEarly(from));\n        exitedAt',
    replace: '        exitedAt',
  },
  { bug: 'exit mode is not kept', search: '        exitedAt = block.timestamp;\n', replace: '' },
  {
    bug: 'the notice can be ignored',
    search: '        require(block.timestamp >= from, TooEarly(from));\n        require(_last',
    replace: '        require(_last',
  },
  {
    bug: 'claims are open at once when too little is held',
    search: 'claimsOpenAt = block.timestamp + COUNT_PERIOD;',
    replace: 'claimsOpenAt = block.timestamp;',
  },
  {
    bug: 'claims wait when exactly enough is held',
    search: '_heldAtExit[i] < _last.sums[i]',
    replace: '_heldAtExit[i] <= _last.sums[i]',
  },
  { bug: 'the delay is 29 days', search: 'EXIT_DELAY = 30 days', replace: 'EXIT_DELAY = 29 days' },
  { bug: 'the time to count is 6 days', search: 'COUNT_PERIOD = 7 days', replace: 'COUNT_PERIOD = 6 days' },
  line('the exit emits nothing', 'emit ExitEntered(_heldAtExit, claimsOpenAt);'),
  {
    bug: 'payments can be counted before the exit',
    search: 'require(exitedAt != 0, NotInExit());\n        require(block.timestamp < claimsOpenAt',
    replace: 'require(exitedAt != 0 || block.timestamp < claimsOpenAt',
  },
  {
    bug: 'payments can be counted while claims are open',
    search: '        require(block.timestamp < claimsOpenAt, ClaimsAreOpen());\n',
    replace: '',
  },
  {
    bug: 'payments are counted for leaves that are in no tree',
    search: 'ClaimsAreOpen());\n        _requireInTree(leaf, salt, path);\n',
    replace: 'ClaimsAreOpen());\n',
  },
  {
    bug: 'payments are counted in the first asset only',
    search: '            _countedPaid[i] += paid[i];\n',
    replace: '            _countedPaid[0] += paid[i];\n',
  },
  {
    bug: 'counting forgets what was counted before',
    search: '_countedPaid[i] += paid[i]',
    replace: '_countedPaid[i] = paid[i]',
  },
  { bug: 'payments are counted twice', search: '        _isCounted[leaf.member] = true;\n', replace: '' },
  { bug: 'a payment in USDT alone is not counted', search: '(paid[0] != 0 || paid[1] != 0', replace: '(paid[1] != 0' },
  { bug: 'a payment in the native currency alone is not counted', search: ' || paid[2] != 0)', replace: ')' },
  line('counting emits nothing', 'emit PaidCounted(leaf.member, paid);'),
  {
    bug: 'a token that cannot tell what is held keeps everybody in',
    search: 'if and(done, gt(returndatasize(), 0x1f)) { held := mload(0) }',
    replace: 'if iszero(done) { revert(0, 0) } held := mload(0)',
  },
  {
    bug: 'a token that burns gas keeps everybody in',
    search: 'staticcall(BALANCE_GAS, asset',
    replace: 'staticcall(gas(), asset',
  },
  {
    bug: 'an answer that is too short counts',
    search: 'gt(returndatasize(), 0x1f)',
    replace: 'gt(returndatasize(), 0)',
  },
  line('a caller can make a balance look like zero', 'require(gasleft() >= GAS_BEFORE_BALANCE, TooLittleGas());'),
  {
    bug: 'of the gas for a balance a 64th is missing',
    search: 'BALANCE_GAS + BALANCE_GAS / 32',
    replace: 'BALANCE_GAS',
  },
  {
    bug: 'what could not be told at the exit is shared anew by each claim',
    search: 'if (_heldAtExit[i] == 0) _heldAtExit[i] = _held(assets[i]);',
    replace: '',
  },
  {
    bug: 'each claim fixes anew what is shared',
    search: 'if (_heldAtExit[i] == 0) _heldAtExit',
    replace: '_heldAtExit',
  },
  {
    bug: 'what could not be told at the exit is shown as nothing',
    search: '            if (held == 0) held = _held(assets[i]);\n',
    replace: '',
  },
]

const claims: readonly Mutant[] = [
  {
    bug: 'claims are open before they are',
    search: '        require(block.timestamp >= claimsOpenAt, TooEarly(claimsOpenAt));\n',
    replace: '',
  },
  {
    bug: 'claims of leaves that are in no tree are paid',
    search: 'TooEarly(claimsOpenAt));\n        _requireInTree(leaf, salt, path);\n',
    replace: 'TooEarly(claimsOpenAt));\n',
  },
  { bug: 'a claim can be made again', search: '            _isClaimed[leaf.member][i] = true;\n', replace: '' },
  {
    bug: 'what could not be sent is lost',
    search: '                _isClaimed[leaf.member][i] = false;\n',
    replace: '',
  },
  { bug: 'a token may call claim again', search: 'path) external nonReentrant {', replace: 'path) external {' },
  {
    bug: 'who sends the claim is paid',
    search: '_trySend(assets[i], leaf.member, shares[i])',
    replace: '_trySend(assets[i], msg.sender, shares[i])',
  },
  {
    bug: 'a claim that pays nothing passes',
    search: '        require(any, NothingToClaim(leaf.member));\n',
    replace: '        any;\n',
  },
  {
    bug: 'claims emit nothing',
    search: '                emit Claimed(leaf.member, assets[i], shares[i]);\n',
    replace: '',
  },
  {
    bug: 'what was paid since is paid again',
    search: 'owed[i] - _paidOf(owed[i], assets[i], member)',
    replace: 'owed[i]',
  },
  { bug: 'more is owed to all than is', search: '_last.sums[i] - _countedPaid[i]', replace: '_last.sums[i]' },
  { bug: 'a share is more than is due', search: 'held >= dueToAll ? due :', replace: 'held > 2 * dueToAll ? due :' },
  { bug: 'everybody gets all while there is some', search: 'due * held / dueToAll', replace: 'due' },
  {
    bug: 'what is claimed shows as claimable',
    search: '            if (_isClaimed[member][i]) continue;\n',
    replace: '',
  },
  { bug: 'something is claimable before the exit', search: '        if (exitedAt == 0) return shares;\n', replace: '' },
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
  { bug: 'more is deducted than is owed', search: 'paid < owed ? uint128(paid) : owed', replace: 'uint128(paid)' },
  {
    bug: 'the subcoin of now is paid',
    search: '[_usdt(), _last.subcoin, address(0)]',
    replace: '[_usdt(), _subcoin(), address(0)]',
  },
  {
    bug: 'the native currency is not sent',
    search: '_tryNative(to, amount) : IERC20',
    replace: 'amount != 0 : IERC20',
  },
  {
    bug: 'a token that returns false keeps all others back',
    search: 'IERC20(asset).trySafeTransfer(to, amount)',
    replace: 'IERC20(asset).transfer(to, amount)',
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

const taking: readonly Mutant[] = [
  {
    bug: 'anybody can announce',
    search: 'uint256 amount) external onlyOwner notInExit {',
    replace: 'uint256 amount) external notInExit {',
  },
  {
    bug: 'the owner can announce in exit mode',
    search: 'uint256 amount) external onlyOwner notInExit {',
    replace: 'uint256 amount) external onlyOwner {',
  },
  {
    bug: 'anybody can take',
    search: 'take(address asset) external onlyOwner notInExit',
    replace: 'take(address asset) external notInExit',
  },
  {
    bug: 'the owner can take in exit mode',
    search: 'take(address asset) external onlyOwner notInExit',
    replace: 'take(address asset) external onlyOwner',
  },
  {
    bug: 'the zero address can be announced',
    search: 'to != address(0) && to != address(this)',
    replace: 'to != address(this)',
  },
  {
    bug: 'the gateway can be announced',
    search: 'to != address(0) && to != address(this)',
    replace: 'to != address(0)',
  },
  line('announcements emit nothing', 'emit TakingAnnounced(asset, to, amount, block.timestamp + TAKING_NOTICE);'),
  line('what was not announced can be taken', 'require(taking.amount != 0, NothingAnnounced(asset));'),
  { bug: 'the notice is 6 days', search: 'TAKING_NOTICE = 7 days', replace: 'TAKING_NOTICE = 6 days' },
  {
    bug: 'the notice is a second longer',
    search: 'taking.announcedAt + TAKING_NOTICE;',
    replace: 'taking.announcedAt + TAKING_NOTICE + 1;',
  },
  {
    bug: 'an attestation before the announcement is enough',
    search: '_last.blockNumber > taking.blockNumber',
    replace: '_last.blockNumber >= taking.blockNumber',
  },
  line(
    'more than the surplus can be taken',
    'require(taking.amount <= surplus, ExceedsSurplus(asset, taking.amount, surplus));',
  ),
  {
    bug: 'the last unit of the surplus cannot be taken',
    search: 'taking.amount <= surplus',
    replace: 'taking.amount < surplus',
  },
  line('a taking can be repeated', 'delete _takings[asset];'),
  line('takings emit nothing', 'emit Taken(asset, taking.to, taking.amount);'),
  { bug: 'what came in since can be taken', search: '        if (heldThen < held) held = heldThen;\n', replace: '' },
  {
    bug: 'what went out since can be taken',
    search: 'if (heldThen < held) held = heldThen;',
    replace: 'held = heldThen;',
  },
  {
    bug: 'what is owed can be taken',
    search: 'if (assets[i] == asset) owed = _last.sums[i];',
    replace: 'if (assets[i] == asset) owed = 0;',
  },
  { bug: 'too little held makes a huge surplus', search: 'held > owed ? held - owed : 0', replace: 'held - owed' },
]

const tree: readonly Mutant[] = [
  {
    bug: 'the kind of tree is not hashed',
    search: 'abi.encodePacked(DOMAIN, block.chainid',
    replace: 'abi.encodePacked(block.chainid',
  },
  { bug: 'the chain is not hashed', search: 'DOMAIN, block.chainid, gateway', replace: 'DOMAIN, uint256(1), gateway' },
  {
    bug: 'the gateway is not hashed',
    search: 'block.chainid, gateway, day',
    replace: 'block.chainid, address(0), day',
  },
  { bug: 'the day is not hashed', search: 'gateway, day));', replace: 'gateway, uint256(0)));' },
  { bug: 'the member is not hashed', search: 'context, leaf.member, sums[0]', replace: 'context, address(0), sums[0]' },
  { bug: 'the salt is not hashed', search: 'sums[2], salt)', replace: 'sums[2], bytes32(0))' },
  { bug: 'siblings are on the wrong side', search: '& 1 == 0', replace: '& 1 == 1' },
  {
    bug: 'sums wrap',
    search: '            parent.sums[i] = left.sums[i] + right.sums[i];\n',
    replace: '            unchecked { parent.sums[i] = left.sums[i] + right.sums[i]; }\n',
  },
  {
    bug: 'sums of siblings are not hashed',
    search: '_packed(left), _packed(right)',
    replace: 'abi.encodePacked(left.hash, right.hash)',
  },
].map((mutant) => ({ ...mutant, file: 'SumTree.sol' }))

export const attested: readonly Mutant[] = [
  ...[...attest, ...exit, ...claims, ...taking].map((mutant) => ({ ...mutant, file: 'AttestedGateway.sol' })),
  ...tree,
]
