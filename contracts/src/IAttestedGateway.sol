// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SumTree} from "./SumTree.sol";

/// @title What is owed is attested each day; without that, members take what is theirs themselves
/// @notice The payer attests the root of a Merkle sum tree over what is owed to each member. While it does, the owner can take
/// out only what exceeds the attested sums, announced beforehand. When no attestation has come for `EXIT_DELAY`, anyone can
/// put the contract into exit mode, for good: then nothing but `claim` moves money. Amounts are base units; lists of
/// three are USDT, the subcoin, the native currency.
interface IAttestedGateway {
    /// @notice The last attestation; all zero before the first.
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param subcoin The subcoin that the second sum is in
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

    /// @notice What the owner has announced that it will take.
    /// @param to Who receives it
    /// @param announcedAt Seconds since 1970-01-01 UTC; zero when nothing is announced
    /// @param blockNumber The block of the announcement
    /// @param amount Base units
    /// @param heldThen What this contract held of the asset when it was announced
    struct Taking {
        address to;
        uint48 announcedAt;
        uint48 blockNumber;
        uint256 amount;
        uint256 heldThen;
    }

    /// @notice What is owed to all members was attested.
    /// @param day UTC, in days since 1970-01-01
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param leaves How many the tree has, padding included
    /// @param blockNumber Payments up to this block are in the tree
    /// @param ledgerSequence The last entry of the service's ledger that is in the tree
    event Attested(
        uint256 indexed day, bytes32 root, uint128[3] sums, uint256 leaves, uint256 blockNumber, uint256 ledgerSequence
    );

    /// @notice Exit mode began.
    /// @param held What this contract held then
    /// @param claimsOpenAt From when on members can claim, seconds since 1970-01-01 UTC
    event ExitEntered(uint256[3] held, uint256 claimsOpenAt);

    /// @notice What a member was paid since the attested block no longer counts as owed.
    event PaidCounted(address indexed member, uint128[3] paid);

    /// @notice A member got its share of an asset.
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
    /// @notice The block is not after the last attested one, or is not over.
    error BadBlock(uint256 blockNumber);
    /// @notice The ledger's sequence is lower than the last attested one, or does not fit 64 bits.
    error BadSequence(uint256 ledgerSequence);
    /// @notice Nothing has been attested.
    error NeverAttested();
    /// @notice Not before this time, seconds since 1970-01-01 UTC.
    error TooEarly(uint256 from);
    /// @notice The contract is in exit mode.
    error InExit();
    /// @notice The contract is not in exit mode.
    error NotInExit();
    /// @notice Members can claim already.
    error ClaimsAreOpen();
    /// @notice The leaf and its path do not lead to the attested root and sums.
    error NotInTree();
    /// @notice Counted already, or nothing was paid.
    error NothingToCount(address member);
    /// @notice Claimed already, or nothing is due, or none of it could be sent.
    error NothingToClaim(address member);
    /// @notice Less gas was left than a token may use to tell what is held.
    error TooLittleGas();
    /// @notice Nothing is announced for this asset.
    error NothingAnnounced(address asset);
    /// @notice The last attestation is not of a block after the announcement.
    error NotAttestedSince(uint256 blockNumber);
    /// @notice The amount exceeds what is surely not owed.
    error ExceedsSurplus(address asset, uint256 amount, uint256 surplus);

    /// @notice Attests what is owed, at most once for each UTC day, later days only. Payer only, also while paused.
    /// @dev Errors: NotPayer, InExit, BadDay, ZeroRoot, BadLeaves, BadBlock, BadSequence.
    /// @param day UTC, in days since 1970-01-01; today at the latest
    /// @param root Root of the tree
    /// @param sums What is owed to all members together
    /// @param leaves How many the tree has: a power of two
    /// @param blockNumber Payments up to this block are in the tree, none after it
    /// @param ledgerSequence The last entry of the service's ledger that is in the tree
    function attest(
        uint256 day,
        bytes32 root,
        uint128[3] calldata sums,
        uint256 leaves,
        uint256 blockNumber,
        uint256 ledgerSequence
    ) external;

    /// @notice Begins exit mode, for good. Anyone, when the last attestation is more than `EXIT_DELAY` old.
    /// @dev From now on `recharge`, plain transfers, `pay`, `attest` and the owner's taking are refused. What is held is fixed
    /// here, so that all claims get the same share, early or late. A token that cannot tell what is held keeps nobody from this: it
    /// counts as zero held, and each claim asks it again until it tells. Errors: InExit, NeverAttested, TooEarly, TooLittleGas.
    function enterExit() external;

    /// @notice Deducts what a member was paid since the attested block from what is owed to all. Anyone, in the `COUNT_PERIOD`
    /// before claims open, which there is only when less is held than was attested.
    /// @dev Not counting somebody makes the shares smaller, never larger than what is held. Errors: NotInExit, ClaimsAreOpen,
    /// NotInTree, NothingToCount.
    function countPaid(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external;

    /// @notice Pays a member, per asset and once: its leaf less what it was paid since the attested block, times
    /// min(1, held ÷ owed). Anyone; the money goes to the member.
    /// @dev An asset that cannot be sent stays claimable, and does not keep the others back; so does one of which nothing was held or
    /// told at the exit: then what the first claim finds is what is shared. Errors: NotInExit, TooEarly, NotInTree, NothingToClaim,
    /// TooLittleGas.
    function claim(SumTree.Leaf calldata leaf, bytes32 salt, SumTree.Node[] calldata path) external;

    /// @notice Announces that the owner will take so much of an asset; replaces an earlier announcement for it. Owner only.
    /// @dev Errors: OwnableUnauthorizedAccount, InExit, BadRecipient, TooLittleGas.
    function announceTaking(address asset, address to, uint256 amount) external;

    /// @notice Takes what was announced at least `TAKING_NOTICE` ago. Owner only.
    /// @dev What was paid in since the announcement may be owed without being attested, so it cannot be taken: the surplus is
    /// what was held then, or now if that is less, minus the sums of an attestation that came after the announcement.
    /// Errors: OwnableUnauthorizedAccount, InExit, NothingAnnounced, TooEarly, NotAttestedSince, ExceedsSurplus,
    /// NativePaymentFailed, WrongAmountMoved, TooLittleGas.
    function take(address asset) external;

    /// @notice Without an attestation for so long, anyone can begin exit mode. Seconds.
    function EXIT_DELAY() external view returns (uint256);

    /// @notice How long payments since the attested block can be counted before claims open. Seconds.
    function COUNT_PERIOD() external view returns (uint256);

    /// @notice How long the owner's taking is announced before. Seconds.
    function TAKING_NOTICE() external view returns (uint256);

    /// @notice The last attestation.
    function lastAttestation() external view returns (Attestation memory);

    /// @notice When exit mode began, seconds since 1970-01-01 UTC; zero while it has not.
    function exitedAt() external view returns (uint256);

    /// @notice From when on members can claim, seconds since 1970-01-01 UTC; zero before exit mode.
    function claimsOpenAt() external view returns (uint256);

    /// @notice What was held when exit mode began. Of what was zero then, or could not be told, what the first claim since found.
    function heldAtExit() external view returns (uint256[3] memory);

    /// @notice What was counted as paid since the attested block.
    function countedPaid() external view returns (uint128[3] memory);

    /// @notice What `pay` has paid to an address after the last attested block.
    function paidSince(address asset, address to) external view returns (uint256);

    /// @notice Whether a member has got its share of each asset.
    function isClaimed(address member) external view returns (bool[3] memory);

    /// @notice What a leaf gets of each asset, if it is in the tree: nothing before exit mode or of what was claimed.
    function claimable(address member, uint128[3] calldata owed) external view returns (uint256[3] memory);

    /// @notice What the owner has announced for an asset.
    function announcedTaking(address asset) external view returns (Taking memory);
}
