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
/// gets L · H ÷ S at first, less what it was paid since, so all together get H at most. What is left a year later is shared in the
/// same way: by what each of those who claimed still lacks, of what all of them lack.
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

    /// @inheritdoc IAttestedGateway
    uint48 public exitedAt;
    Attestation private _last;
    Shared[3] private _shared;
    mapping(address member => uint8[3]) private _claims;
    mapping(address asset => Taking) private _takings;
    /// @dev All that `pay` has paid to an address, by block: a payment between the attested block and the attestation counts.
    mapping(address asset => mapping(address to => Checkpoints.Trace208)) private _paid;

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
        _takings[asset] = Taking(to, uint48(block.timestamp), amount, _held(asset));
        emit TakingAnnounced(asset, to, amount, block.timestamp + NOTICE);
    }

    /// @inheritdoc IAttestedGateway
    function take(address asset) external nonReentrant onlyOwner notInExit {
        Taking memory taking = _takings[asset];
        require(taking.amount != 0, NothingAnnounced(asset));
        uint256 from = taking.announcedAt + NOTICE;
        _requireReached(from);
        require(_last.attestedAt >= from, NotAttestedSince(from));
        uint256 surplus = _surplus(asset, taking.stillHeld);
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
    function announcedTaking(address asset) external view returns (Taking memory) {
        return _takings[asset];
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
            (uint256 held, uint256 left) = (_shared[i].held, _shared[i].left);
            // Of what was not held, or could not be told, nobody has claimed anything: it is as good now as then.
            if (held == 0) held = _held(assets[i]);
            if (left == 0) left = _held(assets[i]);
            (, amounts[i],) = _dueOf(member, owed[i], assets[i], i, held, left);
        }
    }

    /// @dev Called for each payment out.
    function _recordPaid(address asset, address to, uint256 amount) internal {
        Checkpoints.Trace208 storage paid = _paid[asset][to];
        paid.push(uint48(block.number), (paid.latest() + amount).toUint208());
        uint256 stillHeld = _takings[asset].stillHeld;
        if (stillHeld != 0) _takings[asset].stillHeld = amount < stillHeld ? stillHeld - amount : 0;
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
        uint256 left = 0;
        if (_claims[member][i] == 1 && _isSharedAgain(i)) {
            if (shared.left == 0) shared.left = _held(asset);
            left = shared.left;
        }
        (bool isDue, uint256 amount, uint256 lacking) = _dueOf(member, owed, asset, i, shared.held, left);
        if (!isDue) return false;
        // Written before it is sent; the guard keeps a recipient that calls back from claiming the next asset meanwhile.
        _claims[member][i] += 1;
        // Sent also when it is nothing: so a claim that begins the year shows that the asset can be sent.
        if (!_trySend(asset, member, amount)) {
            _claims[member][i] -= 1;
            return false;
        }
        if (lacking != 0) {
            if (shared.lacking == 0) shared.sharedAgainAt = block.timestamp + SHARING_DELAY;
            shared.lacking += lacking;
        }
        emit Claimed(member, asset, amount);
        return true;
    }

    /// @dev Fixes what of an asset is shared, once, unless that is nothing.
    function _shareHeld(Shared storage shared, address asset) private {
        uint256 held = _held(asset);
        if (held == 0) return;
        (shared.held, shared.sharedAgainAt) = (held, block.timestamp + SHARING_DELAY);
    }

    /// @dev Never before somebody has claimed, which of what is short always leaves something lacking.
    function _isSharedAgain(uint256 i) private view returns (bool) {
        return _shared[i].lacking != 0 && block.timestamp >= _shared[i].sharedAgainAt;
    }

    /// @dev What a leaf gets of an asset now, and what it lacks after its first claim. Products are of factors below 2^128.
    function _dueOf(address member, uint256 owed, address asset, uint256 i, uint256 held, uint256 left)
        private
        view
        returns (bool isDue, uint256 amount, uint256 lacking)
    {
        uint256 paid = paidSince(asset, member);
        if (paid >= owed || held == 0 || member == address(this)) return (false, 0, 0);
        uint256 part = held < _last.sums[i] ? owed * held / _last.sums[i] : owed;
        amount = part > paid ? part - paid : 0;
        lacking = owed - paid - amount;
        uint8 claims = _claims[member][i];
        // Once what is left is shared among those who have claimed, nobody joins them.
        if (claims == 0) return lacking == 0 || !_isSharedAgain(i) ? (true, amount, lacking) : (false, 0, 0);
        if (claims > 1 || lacking == 0 || !_isSharedAgain(i)) return (false, 0, 0);
        uint256 lackingToAll = _shared[i].lacking;
        amount = left < lackingToAll ? lacking * left / lackingToAll : lacking;
        return (amount != 0, amount, 0);
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
