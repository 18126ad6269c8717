// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {GatewayControl} from "./GatewayControl.sol";
import {IAttestedGateway} from "./IAttestedGateway.sol";
import {IPaymentGateway} from "./IPaymentGateway.sol";
import {SumTree} from "./SumTree.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Checkpoints} from "@openzeppelin/contracts/utils/structs/Checkpoints.sol";

/// @title The part of the gateway for attestations, exit mode and the owner's taking; documented in the interface
/// @dev Why claims never exceed what is held. Leaves that can be proved sum to the attested sum S at most. Of a held H below S a leaf L
/// gets L · H ÷ S at first, less what it was paid since, so all together get H at most. A year later all that the others cannot be due is
/// shared in the same way: by what each of those who claimed still lacks, of what all of them lack. The others are due H less the parts of
/// those who have claimed, less what was paid to them; who else was paid is not known, so all payments to others count. So who claims
/// late lacks at most what was paid out.
abstract contract AttestedGateway is IAttestedGateway, GatewayControl, ReentrancyGuard {
    using Checkpoints for Checkpoints.Trace208;
    using SafeCast for uint256;

    /// @inheritdoc IAttestedGateway
    uint256 public constant EXIT_DELAY = 30 days;
    /// @inheritdoc IAttestedGateway
    uint256 public constant SHARING_DELAY = 365 days;
    uint256 private constant MAX_DEPTH = 32;
    /// @dev More than any token in use needs to tell a balance. Bounded, so that a token that burns gas keeps nobody in.
    uint256 private constant BALANCE_GAS = 200_000;
    /// @dev More than any token in use needs to move. Bounded in claims, so that a token that burns gas keeps no other asset back.
    uint256 private constant SEND_GAS = 1_000_000;
    /// @dev A call gets 63/64 of what is left at most, less what reaching another account costs.
    uint256 private constant GAS_BEFORE_BALANCE = BALANCE_GAS + BALANCE_GAS / 32;

    /// @dev The claim of a member for an asset: its share, or all that it can.
    uint8 private constant FIRST = 1;
    uint8 private constant ALL = 2;

    /// @dev The part of an asset that is shared now. Zero but for `held` until it is shared again.
    struct Pot {
        uint256 held;
        bool isSharedAgain;
        uint256 balance;
        uint256 left;
        uint256 promised;
    }

    /// @dev The amount that a claim gets of an asset, and what it writes down.
    struct Due {
        bool isDue;
        uint8 claims;
        uint256 amount;
        uint256 lacking;
        int256 settled;
    }

    /// @inheritdoc IAttestedGateway
    uint48 public exitedAt;
    Attestation private _last;
    Shared[3] private _shared;
    mapping(address member => uint8[3]) private _claims;
    /// @dev For each asset: the part of `left` that has not been claimed, and parts of what was held less what was paid, of all who
    /// have claimed.
    uint256[3] private _promised;
    int256[3] private _settled;
    mapping(address asset => Taking) private _takings;
    /// @dev All that `pay` has paid to an address, by block: a payment between the attested block and the attestation counts.
    mapping(address asset => mapping(address to => Checkpoints.Trace208)) private _paid;
    /// @dev All that `pay` has paid: now, at the last attestation, and at the one before.
    mapping(address asset => uint256) private _paidInAll;
    mapping(address asset => uint256) private _paidAtLast;
    mapping(address asset => uint256) private _paidBefore;

    modifier notInExit() {
        require(exitedAt == 0, InExit());
        _;
    }

    /// @dev Money comes in only while there is a way out for it.
    modifier whileOpen() {
        require(_last.attestedAt != 0, NeverAttested());
        require(exitedAt == 0, InExit());
        _;
    }

    /// @inheritdoc IAttestedGateway
    function attest(
        uint256 day,
        bytes32 root,
        uint128[3] calldata sums,
        address subcoin,
        uint256 leaves,
        uint256 blockNumber,
        uint64 ledgerSequence
    ) external notInExit onlyAttester {
        require(day > _last.day && day <= block.timestamp / 1 days, BadDay(day));
        require(root != bytes32(0), ZeroRoot());
        require(blockNumber < block.number, BadBlock(blockNumber));
        _last.depth = _depthOf(leaves);
        _last.root = root;
        _last.sums = sums;
        _last.subcoin = subcoin;
        _last.attestedAt = uint48(block.timestamp);
        _last.day = uint32(day);
        _last.blockNumber = uint48(blockNumber);
        _last.ledgerSequence = ledgerSequence;
        _rememberPaid([_usdt(), subcoin, address(0)]);
        emit Attested(day, root, sums, leaves, blockNumber, ledgerSequence);
    }

    /// @inheritdoc IAttestedGateway
    function enterExit() external nonReentrant notInExit {
        require(_last.attestedAt != 0, NeverAttested());
        _requireReached(_last.attestedAt + EXIT_DELAY + 1);
        exitedAt = uint48(block.timestamp);
        address[3] memory assets = _assets();
        for (uint256 i = 0; i < 3; ++i) {
            _shareHeld(_shared[i], assets[i]);
        }
        emit ExitEntered([_shared[0].held, _shared[1].held, _shared[2].held], block.timestamp + SHARING_DELAY);
    }

    /// @inheritdoc IAttestedGateway
    function claim(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external nonReentrant {
        require(exitedAt != 0, NotInExit());
        _requireInTree(leaf, salt, path);
        address[3] memory assets = _assets();
        bool any = false;
        for (uint256 i = 0; i < 3; ++i) {
            if (_claimOne(leaf.member, leaf.owed[i], assets[i], i)) any = true;
        }
        require(any, NothingToClaim(leaf.member));
    }

    /// @inheritdoc IAttestedGateway
    function announceTaking(address asset, address to, uint256 amount) external onlyOwner notInExit {
        require(to != address(0) && to != address(this), IPaymentGateway.BadRecipient(to));
        // With all that was paid until now, so that a payment changes one number alone.
        _takings[asset] = Taking(to, uint48(block.timestamp), amount, _held(asset) + _paidInAll[asset]);
        emit TakingAnnounced(asset, to, amount, block.timestamp + NOTICE);
    }

    /// @inheritdoc IAttestedGateway
    function take(address asset) external nonReentrant onlyOwner notInExit {
        Taking memory taking = _takings[asset];
        require(taking.amount != 0, NothingAnnounced(asset));
        uint256 from = taking.announcedAt + NOTICE;
        _requireValid(from);
        require(_last.attestedAt >= from, NotAttestedSince(from));
        uint256 surplus = _surplus(asset, _stillHeld(asset, taking));
        require(taking.amount <= surplus, ExceedsSurplus(asset, taking.amount, surplus));
        // Before it is sent, so that a recipient that calls back finds nothing announced.
        delete _takings[asset];
        emit Taken(asset, taking.to, taking.amount);
        _send(IPaymentGateway.Payment(bytes32(0), asset, taking.to, taking.amount));
    }

    /// @inheritdoc IAttestedGateway
    function lastAttestation() external view returns (Attestation memory) {
        return _last;
    }

    /// @inheritdoc IAttestedGateway
    function sharedAtExit() external view returns (Shared[3] memory) {
        return _shared;
    }

    /// @inheritdoc IAttestedGateway
    function isClaimed(address member) external view returns (bool[3] memory) {
        uint8[3] memory claims = _claims[member];
        return [claims[0] > 0, claims[1] > 0, claims[2] > 0];
    }

    /// @inheritdoc IAttestedGateway
    function isClaimedAgain(address member) external view returns (bool[3] memory) {
        uint8[3] memory claims = _claims[member];
        return [claims[0] > 1, claims[1] > 1, claims[2] > 1];
    }

    /// @inheritdoc IAttestedGateway
    function announcedTaking(address asset) external view returns (Taking memory taking) {
        taking = _takings[asset];
        taking.stillHeld = _stillHeld(asset, taking);
    }

    /// @inheritdoc IAttestedGateway
    function paidSince(address asset, address to) public view returns (uint256) {
        Checkpoints.Trace208 storage paid = _paid[asset][to];
        return paid.latest() - paid.upperLookupRecent(_last.blockNumber);
    }

    /// @inheritdoc IAttestedGateway
    function claimable(address member, uint128[3] calldata owed) external view returns (uint256[3] memory amounts) {
        if (exitedAt == 0) return amounts;
        address[3] memory assets = _assets();
        for (uint256 i = 0; i < 3; ++i) {
            amounts[i] = _dueOf(member, owed[i], i, _potOf(assets[i], i)).amount;
        }
    }

    /// @dev Since the attestation before: some minutes of payments before an attestation are after its block.
    function _rememberPaid(address[3] memory assets) private {
        for (uint256 i = 0; i < 3; ++i) {
            _paidBefore[assets[i]] = _paidAtLast[assets[i]];
            _paidAtLast[assets[i]] = _paidInAll[assets[i]];
        }
    }

    /// @dev Called for each payment out.
    function _recordPaid(address asset, address to, uint256 amount) internal {
        Checkpoints.Trace208 storage paid = _paid[asset][to];
        paid.push(uint48(block.number), (paid.latest() + amount).toUint208());
        _paidInAll[asset] += amount;
    }

    function _usdt() internal view virtual returns (address);

    /// @dev Sends exactly that amount or reverts.
    function _send(IPaymentGateway.Payment memory payment) internal virtual;

    /// @dev Sends the native currency with bounded gas; false when it was refused.
    function _tryNative(address to, uint256 amount) internal virtual returns (bool);

    /// @dev True when something of the asset was due, and could be sent.
    function _claimOne(address member, uint256 owed, address asset, uint256 i) private returns (bool) {
        Shared storage shared = _shared[i];
        if (shared.held == 0) _shareHeld(shared, asset);
        Pot memory pot = _potOf(asset, i);
        Due memory due = _dueOf(member, owed, i, pot);
        if (!due.isDue) return false;
        uint8 claims = _claims[member][i];
        // Written before it is sent; the guard keeps a recipient that calls back from claiming the next asset meanwhile.
        _claims[member][i] = due.claims;
        // Sent also when it is nothing: so a claim that begins the year shows that the asset can be sent.
        if (!_trySend(asset, member, due.amount)) {
            _claims[member][i] = claims;
            return false;
        }
        if (pot.isSharedAgain) {
            (shared.left, _promised[i]) = (pot.left, pot.promised);
            if (claims == FIRST) _promised[i] -= due.amount;
        }
        if (claims == 0) _settled[i] += due.settled;
        if (due.lacking != 0) {
            // Not set by the exit: a claim that is tried at the time of the exit would find it as it is, and so use less gas than later.
            if (shared.lacking == 0) shared.sharedAgainAt = block.timestamp + SHARING_DELAY;
            shared.lacking += due.lacking;
        }
        emit Claimed(member, asset, due.amount);
        return true;
    }

    /// @dev Fixes what of an asset is shared, once, unless that is nothing.
    function _shareHeld(Shared storage shared, address asset) private {
        uint256 held = _held(asset);
        if (held == 0) return;
        shared.held = held;
    }

    /// @dev Reads what of an asset is shared now. What is left for those who have claimed is fixed by the first claim that finds it so.
    function _potOf(address asset, uint256 i) private view returns (Pot memory pot) {
        Shared storage shared = _shared[i];
        pot.held = shared.held;
        // An amount that was not held, or could not be told, has no claims yet: it is as good now as then.
        if (pot.held == 0) pot.held = _held(asset);
        // Never before somebody has claimed, which of what is short always leaves something lacking.
        pot.isSharedAgain = shared.lacking != 0 && block.timestamp >= shared.sharedAgainAt;
        if (!pot.isSharedAgain) return pot;
        pot.balance = _held(asset);
        (pot.left, pot.promised) = (shared.left, _promised[i]);
        if (pot.left != 0) return pot;
        uint256 kept = _keptForOthers(i, pot.held, 0);
        pot.left = pot.balance > kept ? pot.balance - kept : 0;
        pot.promised = pot.left < shared.lacking ? pot.left : shared.lacking;
    }

    /// @dev Computes what those who have not claimed are surely due: their parts of what was held, less all that was paid to others
    /// than those who have.
    /// @param settling What the claim of now adds to what is settled
    function _keptForOthers(uint256 i, uint256 held, int256 settling) private view returns (uint256) {
        address asset = _assets()[i];
        uint256 paid = _paidInAll[asset] - _paidBefore[asset];
        int256 kept = held.toInt256() - paid.toInt256() - _settled[i] - settling;
        return kept > 0 ? uint256(kept) : 0;
    }

    /// @dev Computes what a leaf gets of an asset now. Products are of factors below 2^128.
    function _dueOf(address member, uint256 owed, uint256 i, Pot memory pot) private view returns (Due memory due) {
        uint256 paid = paidSince(_assets()[i], member);
        if (paid >= owed || pot.held == 0 || member == address(this)) return due;
        uint256 sum = _last.sums[i];
        bool isShort = pot.held < sum;
        uint256 part = isShort ? owed * pot.held / sum : owed;
        uint256 first = part > paid ? part - paid : 0;
        uint256 lacking = owed - paid - first;
        due.claims = _claims[member][i];
        if (due.claims == 0) {
            if (isShort) due.settled = part.toInt256() - paid.toInt256();
            if (lacking == 0 || !pot.isSharedAgain) {
                (due.isDue, due.claims, due.amount, due.lacking) = (true, FIRST, first, lacking);
                return due;
            }
        }
        if (!pot.isSharedAgain || lacking == 0 || due.claims == ALL) return due;
        if (due.claims == FIRST) {
            uint256 lackingToAll = _shared[i].lacking;
            due.amount = pot.left < lackingToAll ? lacking * pot.left / lackingToAll : lacking;
        } else {
            due.amount = _dueLate(i, pot, owed - paid, due.settled);
        }
        (due.isDue, due.claims) = (due.amount != 0, ALL);
    }

    /// @dev A late claim takes nothing of what was promised to those who came in time, nor of what the others are surely due.
    function _dueLate(uint256 i, Pot memory pot, uint256 lacks, int256 settling) private view returns (uint256) {
        uint256 bound = pot.promised + _keptForOthers(i, pot.held, settling);
        uint256 free = pot.balance > bound ? pot.balance - bound : 0;
        return lacks < free ? lacks : free;
    }

    function _trySend(address asset, address to, uint256 amount) private returns (bool) {
        return asset == address(0) ? _tryNative(to, amount) : _tryToken(asset, to, amount);
    }

    /// @dev True when the token says so, or says nothing, as old ones do.
    function _tryToken(address asset, address to, uint256 amount) private returns (bool sent) {
        if (asset.code.length == 0) return false;
        bytes memory call_ = abi.encodeCall(IERC20.transfer, (to, amount));
        // In assembly, because Solidity would copy all that the token returns.
        assembly ("memory-safe") {
            sent := call(SEND_GAS, asset, 0, add(call_, 0x20), mload(call_), 0, 0x20)
            if returndatasize() {
                sent := and(sent, and(gt(returndatasize(), 0x1f), eq(mload(0), 1)))
            }
        }
    }

    /// @dev The assets of the attested sums, in their order.
    function _assets() private view returns (address[3] memory) {
        return [_usdt(), _last.subcoin, address(0)];
    }

    /// @dev Zero for a token that cannot tell: none can keep anyone from leaving. A caller that leaves it too little gas is refused,
    /// so nobody can make a balance look like zero.
    function _held(address asset) private view returns (uint256 held) {
        if (asset == address(0)) return address(this).balance;
        bytes memory question = abi.encodeCall(IERC20.balanceOf, (address(this)));
        require(gasleft() >= GAS_BEFORE_BALANCE, TooLittleGas());
        // In assembly, because Solidity would copy all that the token returns.
        assembly ("memory-safe") {
            let done := staticcall(BALANCE_GAS, asset, add(question, 0x20), mload(question), 0, 0x20)
            if and(done, gt(returndatasize(), 0x1f)) { held := mload(0) }
        }
    }

    function _stillHeld(address asset, Taking memory taking) private view returns (uint256) {
        uint256 paid = _paidInAll[asset];
        return taking.stillHeld > paid ? taking.stillHeld - paid : 0;
    }

    function _surplus(address asset, uint256 stillHeld) private view returns (uint256) {
        uint256 held = _held(asset);
        if (stillHeld < held) held = stillHeld;
        address[3] memory assets = _assets();
        uint256 owed = 0;
        for (uint256 i = 0; i < 3; ++i) {
            if (assets[i] == asset) owed = _last.sums[i];
        }
        return held > owed ? held - owed : 0;
    }

    function _requireInTree(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) private view {
        bool isInside = path.length == _last.depth && leaf.position >> path.length == 0;
        require(isInside, NotInTree());
        SumTree.Node memory root = SumTree.rootOf(leaf, salt, path, address(this), _last.day);
        require(root.hash == _last.root, NotInTree());
        for (uint256 i = 0; i < 3; ++i) {
            require(root.sums[i] == _last.sums[i], NotInTree());
        }
    }

    function _depthOf(uint256 leaves) private pure returns (uint8) {
        for (uint256 depth = 0; depth <= MAX_DEPTH; ++depth) {
            if (leaves == 1 << depth) return uint8(depth);
        }
        revert BadLeaves(leaves);
    }
}
