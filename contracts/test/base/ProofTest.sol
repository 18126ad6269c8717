// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SumTree} from "../../src/SumTree.sol";
import {GatewayTest} from "./GatewayTest.sol";
import {vm} from "./Vm.sol";

/// @notice Builds sum trees apart from the contract's own code, and attests them.
abstract contract ProofTest is GatewayTest {
    struct Proof {
        SumTree.Leaf leaf;
        bytes32 salt;
        SumTree.Node[] path;
    }

    uint256 internal constant DELAY = 30 days;

    /// @dev The order is that of the leaves; the last place of the tree is padding.
    address[4] internal members = [address(0xA), address(0xB), address(0xC), address(0)];

    function setUp() public virtual override {
        super.setUp();
        vm.roll(1_000);
    }

    function _today() internal view returns (uint256) {
        return block.timestamp / 1 days;
    }

    /// @dev One block and one second later.
    function _nextBlock() internal {
        vm.roll(block.number + 1);
        vm.warp(block.timestamp + 1);
    }

    /// @dev Attests a tree of these leaves as of the block before; its proofs, one for each leaf.
    function _attest(uint128[3][4] memory owed) internal returns (Proof[4] memory proofs) {
        SumTree.Node memory root;
        (proofs, root) = _tree(owed, _today());
        _attestRoot(root, 4);
    }

    /// @dev As of the block before.
    function _attestRoot(SumTree.Node memory root, uint256 leaves) internal {
        address subcoin = gateway.token();
        vm.prank(attester);
        gateway.attest(_today(), root.hash, root.sums, subcoin, leaves, block.number - 1, 7);
    }

    function _tree(uint128[3][4] memory owed, uint256 day)
        internal
        view
        returns (Proof[4] memory proofs, SumTree.Node memory root)
    {
        SumTree.Node[4] memory leaves;
        for (uint256 i = 0; i < 4; ++i) {
            proofs[i].leaf = SumTree.Leaf(members[i], i, owed[i]);
            proofs[i].salt = keccak256(abi.encode("salt", i, day));
            leaves[i] = _leafNode(proofs[i], day);
        }
        SumTree.Node[2] memory parents = [_parentNode(leaves[0], leaves[1]), _parentNode(leaves[2], leaves[3])];
        root = _parentNode(parents[0], parents[1]);
        for (uint256 i = 0; i < 4; ++i) {
            proofs[i].path = new SumTree.Node[](2);
            (proofs[i].path[0], proofs[i].path[1]) = (leaves[i ^ 1], parents[1 - i / 2]);
        }
    }

    function _leafNode(Proof memory proof, uint256 day) internal view returns (SumTree.Node memory) {
        bytes32 context = keccak256(
            bytes.concat(keccak256("candela.proof.1"), abi.encode(block.chainid), abi.encodePacked(gateway, day))
        );
        uint128[3] memory owed = proof.leaf.owed;
        bytes memory amounts = abi.encodePacked(owed[0], owed[1], owed[2]);
        return SumTree.Node(
            keccak256(bytes.concat(hex"00", context, abi.encodePacked(proof.leaf.member), amounts, proof.salt)), owed
        );
    }

    function _parentNode(SumTree.Node memory left, SumTree.Node memory right)
        internal
        pure
        returns (SumTree.Node memory)
    {
        bytes memory first = abi.encodePacked(left.hash, left.sums[0], left.sums[1], left.sums[2]);
        bytes memory second = abi.encodePacked(right.hash, right.sums[0], right.sums[1], right.sums[2]);
        uint128[3] memory sums =
            [left.sums[0] + right.sums[0], left.sums[1] + right.sums[1], left.sums[2] + right.sums[2]];
        return SumTree.Node(keccak256(bytes.concat(hex"01", first, second)), sums);
    }

    /// @dev A plain tree that all of these tests can use: 100, 200 and 300 of each asset, and padding.
    function _plain() internal pure returns (uint128[3][4] memory owed) {
        owed[0] = [uint128(100), 100, 100];
        owed[1] = [uint128(200), 200, 200];
        owed[2] = [uint128(300), 300, 300];
    }

    function _assets() internal view returns (address[3] memory) {
        return [address(usdt), address(hash), NATIVE];
    }

    function _fundAll(uint256 amount) internal {
        for (uint256 i = 0; i < 3; ++i) {
            _fund(_assets()[i], amount);
        }
    }

    function _pay(address asset, address to, uint256 amount) internal {
        vm.prank(payer);
        gateway.pay(keccak256(abi.encode(asset, to, block.number)), asset, to, amount);
    }

    /// @dev Exit mode begins as early as it can.
    function _exit() internal {
        vm.warp(gateway.lastAttestation().attestedAt + DELAY + 1);
        gateway.enterExit();
    }

    /// @dev The rest is shared among those who have claimed.
    function _toSharingAgain() internal {
        vm.warp(gateway.exitedAt() + gateway.SHARING_DELAY());
    }

    function _claim(Proof memory proof) internal {
        gateway.claim(proof.leaf, proof.salt, proof.path);
    }
}
