import { claims } from './claims.ts'
import type { Mutant } from './mutant.ts'

/** Planted bugs in attestations, exit mode and the owner's taking, and in how the tree is hashed. */

const line = (bug: string, search: string): Mutant => ({ bug, search: `        ${search}\n`, replace: '' })

const attest: readonly Mutant[] = [
  {
    bug: 'anybody can attest',
    search: ') external notInExit onlyAttester {',
    replace: ') external notInExit {',
  },
  {
    bug: 'an earlier attestation keeps later ones of the same block out',
    search: 'require(blockNumber < block.number',
    replace: 'require(blockNumber > _last.blockNumber && blockNumber < block.number',
  },
  {
    bug: 'an earlier attestation keeps later ones of a lower sequence out',
    search: 'require(root != bytes32(0), ZeroRoot());',
    replace: 'require(root != bytes32(0) && ledgerSequence >= _last.ledgerSequence, ZeroRoot());',
  },
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
    bug: 'a block can be attested that is not over',
    search: 'blockNumber < block.number',
    replace: 'blockNumber <= block.number',
  },
  line('the depth is not kept', '_last.depth = _depthOf(leaves);'),
  line('the root is not kept', '_last.root = root;'),
  line('the sums are not kept', '_last.sums = sums;'),
  line('the attested subcoin is not kept', '_last.subcoin = subcoin;'),
  line('the time is not kept', '_last.attestedAt = uint48(block.timestamp);'),
  line('the day is not kept', '_last.day = uint32(day);'),
  line('the block is not kept', '_last.blockNumber = uint48(blockNumber);'),
  line('the sequence is not kept', '_last.ledgerSequence = ledgerSequence;'),
  line('attestations emit nothing', 'emit Attested(day, root, sums, leaves, blockNumber, ledgerSequence);'),
  {
    bug: 'attesting goes on in exit mode',
    search: ') external notInExit onlyAttester {',
    replace: ') external onlyAttester {',
  },
  {
    bug: 'money comes in before the first attestation',
    search: '        require(_last.attestedAt != 0, NeverAttested());\n        require(exitedAt == 0, InExit());\n',
    replace: '        require(exitedAt == 0, InExit());\n',
  },
  {
    bug: 'money comes in in exit mode',
    search: '        require(_last.attestedAt != 0, NeverAttested());\n        require(exitedAt == 0, InExit());\n',
    replace: '        require(_last.attestedAt != 0, NeverAttested());\n',
  },
  { bug: 'a tree may have 2^33 leaves', search: 'MAX_DEPTH = 32', replace: 'MAX_DEPTH = 33' },
  { bug: 'a tree has 2^31 leaves at most', search: 'depth <= MAX_DEPTH', replace: 'depth < MAX_DEPTH' },
]

const exit: readonly Mutant[] = [
  {
    bug: 'exit mode can begin twice',
    search: 'function enterExit() external nonReentrant notInExit {',
    replace: 'function enterExit() external nonReentrant {',
  },
  {
    bug: 'exit mode can begin during a payment',
    search: 'function enterExit() external nonReentrant notInExit {',
    replace: 'function enterExit() external notInExit {',
  },
  {
    bug: 'a token can call back during a taking',
    search: 'take(address asset) external nonReentrant onlyOwner',
    replace: 'take(address asset) external onlyOwner',
  },
  {
    bug: 'exit mode can begin before the first attestation',
    search: 'require(_last.attestedAt != 0, NeverAttested());\n        _requireReached(_last',
    replace: '_requireReached(_last',
  },
  {
    bug: 'exit mode can begin a second early',
    search: '_last.attestedAt + EXIT_DELAY + 1',
    replace: '_last.attestedAt + EXIT_DELAY',
  },
  line('exit mode can begin at any time', '_requireReached(_last.attestedAt + EXIT_DELAY + 1);'),
  line('exit mode is not kept', 'exitedAt = uint48(block.timestamp);'),
  line('the notice of a taking can be ignored', '_requireValid(from);'),
  { bug: 'the delay is 29 days', search: 'EXIT_DELAY = 30 days', replace: 'EXIT_DELAY = 29 days' },
  {
    bug: 'what is left is shared after 364 days',
    search: 'SHARING_DELAY = 365 days',
    replace: 'SHARING_DELAY = 364 days',
  },
  line(
    'the exit emits nothing',
    'emit ExitEntered([_shared[0].held, _shared[1].held, _shared[2].held], block.timestamp + SHARING_DELAY);',
  ),
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
    search: 'and(done, gt(returndatasize(), 0x1f))',
    replace: 'and(done, gt(returndatasize(), 0))',
  },
  line('a caller can make a balance look like zero', 'require(gasleft() >= GAS_BEFORE_BALANCE, TooLittleGas());'),
  {
    bug: 'of the gas for a balance a 64th is missing',
    search: 'BALANCE_GAS + BALANCE_GAS / 32',
    replace: 'BALANCE_GAS',
  },
  line('what could not be told at the exit is never shared', 'if (shared.held == 0) _shareHeld(shared, asset);'),
  {
    bug: 'each claim fixes anew what is shared',
    search: 'if (shared.held == 0) _shareHeld(shared, asset);',
    replace: '_shareHeld(shared, asset);',
  },
  {
    bug: 'a claim uses more gas than where it was tried',
    search: '        shared.held = held;\n',
    replace: '        (shared.held, shared.sharedAgainAt) = (held, block.timestamp + SHARING_DELAY);\n',
  },
  {
    bug: 'what could not be told at the exit is shown as nothing',
    search: '        if (pot.held == 0) pot.held = _held(asset);\n',
    replace: '',
  },
  {
    bug: 'what is left is not kept',
    search: '(shared.left, _promised[i]) = (pot.left, pot.promised);',
    replace: '_promised[i] = pot.promised;',
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
    search: 'take(address asset) external nonReentrant onlyOwner',
    replace: 'take(address asset) external nonReentrant',
  },
  {
    bug: 'the owner can take in exit mode',
    search: 'take(address asset) external nonReentrant onlyOwner notInExit',
    replace: 'take(address asset) external nonReentrant onlyOwner',
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
  line('announcements emit nothing', 'emit TakingAnnounced(asset, to, amount, block.timestamp + NOTICE);'),
  line('what was not announced can be taken', 'require(taking.amount != 0, NothingAnnounced(asset));'),
  {
    bug: 'the notice of a taking is a second longer',
    search: 'taking.announcedAt + NOTICE;',
    replace: 'taking.announcedAt + NOTICE + 1;',
  },
  {
    bug: 'an attestation before the end of the notice is enough',
    search: 'require(_last.attestedAt >= from, NotAttestedSince(from));',
    replace: 'require(_last.attestedAt >= taking.announcedAt, NotAttestedSince(from));',
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
  { bug: 'what came in since can be taken', search: '        if (stillHeld < held) held = stillHeld;\n', replace: '' },
  {
    bug: 'what went out since can be taken',
    search: 'if (stillHeld < held) held = stillHeld;',
    replace: 'held = stillHeld;',
  },
  {
    bug: 'what was paid out since does not count against a taking',
    search: 'taking.stillHeld > paid ? taking.stillHeld - paid : 0',
    replace: 'taking.stillHeld',
  },
  {
    bug: 'nothing can be taken once more was paid than was held at the announcement',
    search: 'taking.stillHeld > paid ? taking.stillHeld - paid : 0',
    replace: 'taking.stillHeld - paid',
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
