// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The Merkle sum tree over what is owed to members
/// @notice Hashes as `protocol/proof/sum-tree.ts` does; `docs/understand/proof.md` describes the format and has test vectors. Both
/// children's sums are in the hash of their parent, so a root allows for one sum below each of its nodes, and the leaves that
/// can be proved never exceed the root's sums together.
library SumTree {
    /// @notice One member's leaf.
    /// @param member Who is owed
    /// @param position Its place in the tree; bit i says on which side the i-th sibling of the path is
    /// @param owed Base units of USDT, the subcoin and the native currency
    struct Leaf {
        address member;
        uint256 position;
        uint128[3] owed;
    }

    /// @notice A hash with the sums below it.
    struct Node {
        bytes32 hash;
        uint128[3] sums;
    }

    bytes32 private constant DOMAIN = keccak256("candela.proof.1");
    uint8 private constant LEAF = 0;
    uint8 private constant PARENT = 1;

    /// @notice The root that a leaf's path leads to. Sums are checked: one that does not fit reverts with Panic(0x11).
    function rootOf(Leaf calldata leaf, bytes32 salt, Node[] calldata path, address gateway, uint256 day)
        internal
        view
        returns (Node memory node)
    {
        bytes32 context = keccak256(abi.encodePacked(DOMAIN, block.chainid, gateway, day));
        uint128[3] memory sums = leaf.owed;
        bytes memory preimage = abi.encodePacked(LEAF, context, leaf.member, sums[0], sums[1], sums[2], salt);
        node = Node(keccak256(preimage), sums);
        for (uint256 i = 0; i < path.length; ++i) {
            node = (leaf.position >> i) & 1 == 0 ? _parent(node, path[i]) : _parent(path[i], node);
        }
    }

    function _parent(Node memory left, Node memory right) private pure returns (Node memory parent) {
        parent.hash = keccak256(bytes.concat(abi.encodePacked(PARENT), _packed(left), _packed(right)));
        for (uint256 i = 0; i < 3; ++i) {
            parent.sums[i] = left.sums[i] + right.sums[i];
        }
    }

    function _packed(Node memory node) private pure returns (bytes memory) {
        return abi.encodePacked(node.hash, node.sums[0], node.sums[1], node.sums[2]);
    }
}
