// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SumTree} from "./SumTree.sol";

/// @title What is owed is attested each day; without that, members take what is theirs themselves
/// @notice The attester attests the root of a Merkle sum tree over what is owed to each member. Before the first attestation no money
/// comes in. While attestations come, the owner can take out only what exceeds the attested sums, announced beforehand. When no attestation has come for `EXIT_DELAY`, anyone can
/// put the contract into exit mode, for good: then nothing but `claim` moves money. Amounts are base units; lists of
/// three are USDT, the subcoin, the native currency.
interface IAttestedGateway {
    /// @notice The last attestation; all zero before the first.
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param subcoin The token that the second sum is in
    /// @param attestedAt When it came, seconds since 1970-01-01 UTC
    /// @param day UTC, in days since 1970-01-01
    /// @param blockNumber Payments up to this block are in the tree
    /// @param depth Of the tree: it has 2^depth leaves
    struct Attestation {
        bytes32 root;
        uint128[3] sums;
        address subcoin;
        uint48 attestedAt;
        uint32 day;
        uint48 blockNumber;
        uint8 depth;
        uint64 ledgerSequence;
    }

    /// @notice The taking that the owner has announced.
    /// @param to Who receives it
    /// @param announcedAt Seconds since 1970-01-01 UTC; zero when nothing is announced
    /// @param amount Base units
    /// @param stillHeld What this contract held of the asset when it was announced, less what was paid out since
    struct Taking {
        address to;
        uint48 announcedAt;
        uint256 amount;
        uint256 stillHeld;
    }

    /// @notice The sharing of an asset in exit mode, base units.
    /// @param held What was held when exit mode began; of what was zero then, or could not be told, what the first claim since found
    /// @param sharedAgainAt Where less is held than is owed: `SHARING_DELAY` after the first claim that could be sent, seconds since
    /// 1970-01-01 UTC; zero before, when nothing is shared again
    /// @param lacking What those who have claimed still lack of their leaves
    /// @param left What was held when the first of them claimed again, without what the others are surely due; zero before
    struct Shared {
        uint256 held;
        uint256 sharedAgainAt;
        uint256 lacking;
        uint256 left;
    }

    /// @notice The sums owed to all members were attested.
    /// @param day UTC, in days since 1970-01-01
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param leaves How many the tree has, padding included
    /// @param blockNumber Payments up to this block are in the tree
    /// @param ledgerSequence The last entry of the service's ledger that is in the tree
    event Attested(
        uint256 indexed day, bytes32 root, uint128[3] sums, uint256 leaves, uint256 blockNumber, uint256 ledgerSequence
    );

    /// @notice Exit mode began, and members can claim.
    /// @param held What this contract held then
    /// @param sharedAgainAt From when on, at the earliest, what is left is shared among those who have claimed, seconds since 1970-01-01 UTC
    event ExitEntered(uint256[3] held, uint256 sharedAgainAt);

    /// @notice A member got its share of an asset, or so much of what was left; zero when it was paid its first share before the exit.
    event Claimed(address indexed member, address asset, uint256 amount);

    /// @notice The owner will take so much, not before `from`; an amount of zero takes the announcement back.
    event TakingAnnounced(address indexed asset, address to, uint256 amount, uint256 from);

    /// @notice The owner took what it had announced.
    event Taken(address indexed asset, address to, uint256 amount);

    /// @notice The day is not after the last attested one, or has not begun.
    error BadDay(uint256 day);
    /// @notice The root is zero.
    error ZeroRoot();
    /// @notice The number of leaves is not a power of two, or exceeds 2^32.
    error BadLeaves(uint256 leaves);
    /// @notice The block is not over.
    error BadBlock(uint256 blockNumber);
    /// @notice Nothing has been attested.
    error NeverAttested();
    /// @notice The contract is in exit mode.
    error InExit();
    /// @notice The contract is not in exit mode.
    error NotInExit();
    /// @notice The leaf and its path do not lead to the attested root and sums.
    error NotInTree();
    /// @notice Claimed already, or nothing is due now, or none of it could be sent.
    error NothingToClaim(address member);
    /// @notice Less gas was left than a token may use to tell what is held.
    error TooLittleGas();
    /// @notice Nothing was attested since the notice was over.
    error NotAttestedSince(uint256 time);
    /// @notice The amount exceeds what is surely not owed.
    error ExceedsSurplus(address asset, uint256 amount, uint256 surplus);

    /// @notice Attests what is owed, at most once for each UTC day, later days only. Attester only, also while paused.
    /// @dev An attestation keeps no later one out but those of its own day, whatever it says: whoever holds a stolen key of the attester
    /// can be followed by an honest attester on the next day. Errors: NotAttester, InExit, BadDay, ZeroRoot, BadLeaves, BadBlock.
    /// @param day UTC, in days since 1970-01-01; today at the latest
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param subcoin The token that the second sum is in
    /// @param leaves How many the tree has: a power of two
    /// @param blockNumber Payments up to this block are in the tree, none after it
    /// @param ledgerSequence The last entry of the service's ledger that is in the tree
    function attest(
        uint256 day,
        bytes32 root,
        uint128[3] calldata sums,
        address subcoin,
        uint256 leaves,
        uint256 blockNumber,
        uint64 ledgerSequence
    ) external;

    /// @notice Begins exit mode, for good. Anyone, when the last attestation is more than `EXIT_DELAY` old.
    /// @dev From now on `recharge`, plain transfers, `pay`, `attest` and the owner's taking are refused. What is held is fixed
    /// here, so that all claims get the same share, early or late. A token that cannot tell what is held keeps nobody from this: it
    /// counts as zero held, and each claim asks it again until it tells. Errors: InExit, NeverAttested, TooEarly, TooLittleGas.
    function enterExit() external;

    /// @notice Pays a member, per asset and once: min(1, held ÷ owed) of its leaf, less what it was paid since the attested block. From
    /// `sharedAgainAt` on it pays those who have claimed, once more, what their leaves lack, or their part of what the others cannot be due.
    /// Who has not claimed by then still gets its share, once, but for what was paid out, and more where nobody else can claim it.
    /// Anyone; the money goes to the member.
    /// @dev Claims never end. All that was paid out since the attestation before the last counts as paid to those who have not claimed. An
    /// asset that cannot be sent to anybody stays claimable, and does not keep the others back, nor does a token that takes more than a million gas; so does one of which nothing was held or told at
    /// the exit: then what the first claim finds is what is shared. Errors: NotInExit, NotInTree, NothingToClaim, TooLittleGas.
    function claim(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external;

    /// @notice Announces that the owner will take so much of an asset; replaces an earlier announcement for it. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, InExit, BadRecipient, TooLittleGas.
    function announceTaking(address asset, address to, uint256 amount) external;

    /// @notice Takes what was announced at least `NOTICE` ago, within `VALIDITY` after that. Owner only.
    /// @dev What was paid in since the announcement may be owed without being attested, so it cannot be taken, and what was paid out since
    /// counts against it: the surplus is what was held then less what was paid out since, or what is held now if that is less, minus the
    /// sums of an attestation that came after the notice. In a week with many payments that can be nothing although there is some.
    /// Errors: OwnableUnauthorizedAccount, InExit, NothingAnnounced, TooEarly, TooLate, NotAttestedSince, ExceedsSurplus,
    /// NativePaymentFailed, WrongAmountMoved, TooLittleGas.
    function take(address asset) external;

    /// @notice Without an attestation for so long, anyone can begin exit mode. Seconds.
    function EXIT_DELAY() external view returns (uint256);

    /// @notice How long after the first claim of an asset that is short what is left of it is shared among those who have claimed. Seconds.
    function SHARING_DELAY() external view returns (uint256);

    /// @notice The last attestation.
    function lastAttestation() external view returns (Attestation memory);

    /// @notice When exit mode began, seconds since 1970-01-01 UTC; zero while it has not.
    function exitedAt() external view returns (uint48);

    /// @notice Tells what is shared of each asset in exit mode; all zero before.
    function sharedAtExit() external view returns (Shared[3] memory);

    /// @notice Tells what `pay` has paid to an address after the last attested block.
    function paidSince(address asset, address to) external view returns (uint256);

    /// @notice Whether a member has got its share of each asset.
    function isClaimed(address member) external view returns (bool[3] memory);

    /// @notice Whether a member has got its part of what was left of each asset.
    function isClaimedAgain(address member) external view returns (bool[3] memory);

    /// @notice Tells what a leaf gets of each asset now, if it is in the tree: nothing before exit mode or of what was claimed.
    function claimable(address member, uint128[3] calldata owed) external view returns (uint256[3] memory);

    /// @notice Tells what the owner has announced for an asset.
    function announcedTaking(address asset) external view returns (Taking memory);
}
