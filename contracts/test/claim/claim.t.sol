// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {SumTree} from "../../src/SumTree.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {ExitTest} from "../base/ExitTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {RefusingRecipient} from "../mocks/Recipients.sol";
import {FalseReturnToken, MuteToken, ReentrantToken} from "../mocks/WeirdTokens.sol";

contract ClaimTest is ExitTest {
    event Claimed(address indexed member, address asset, uint256 amount);

    function test_RevertWhen_NotInExit() public {
        _fundAll(600);
        Proof[4] memory proofs = _attest(_plain());
        vm.expectRevert(IAttestedGateway.NotInExit.selector);
        _claim(proofs[0]);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[i], 0, "nothing yet");
        }
        _exit();
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 100, "then all");
    }

    function testFuzz_RevertWhen_Tampered(uint8 who, uint8 what, uint8 which, uint256 by) public {
        Proof memory proof = _opened()[who % 3];
        (what, which) = (what % 7, which % 3);
        if (what == 0) {
            proof.leaf.member = address(uint160(proof.leaf.member) ^ uint160(bound(by, 1, type(uint160).max)));
        }
        if (what == 1) proof.leaf.owed[which] ^= uint128(bound(by, 1, type(uint128).max));
        if (what == 2) proof.salt ^= bytes32(bound(by, 1, type(uint256).max));
        if (what == 3) proof.leaf.position ^= bound(by, 1, type(uint256).max);
        if (what == 4) proof.path[which % 2].hash ^= bytes32(bound(by, 1, type(uint256).max));
        if (what == 5) proof.path[which % 2].sums[which] ^= uint128(bound(by, 1, type(uint128).max));
        if (what == 6) {
            // The leaf gets what its sibling loses, so that all sums above stay.
            uint128 amount = uint128(bound(by, 1, 50));
            proof.leaf.owed[which] -= amount;
            proof.path[0].sums[which] += amount;
        }
        (bool done, bytes memory reason) =
            address(gateway).call(abi.encodeCall(gateway.claim, (proof.leaf, proof.salt, proof.path)));
        vm.assertTrue(!done, "refused");
        bool isKnown = bytes4(reason) == IAttestedGateway.NotInTree.selector || bytes4(reason) == bytes4(0x4e487b71);
        vm.assertTrue(isKnown, "not in the tree, or a panic for a sum that does not fit");
    }

    function test_RevertWhen_PathHasAnotherLength() public {
        Proof memory proof = _opened()[0];
        SumTree.Node[][3] memory others = [new SumTree.Node[](0), new SumTree.Node[](1), new SumTree.Node[](3)];
        others[1][0] = proof.path[0];
        (others[2][0], others[2][1]) = (proof.path[0], proof.path[1]);
        for (uint256 i = 0; i < 3; ++i) {
            proof.path = others[i];
            vm.expectRevert(IAttestedGateway.NotInTree.selector);
            _claim(proof);
        }
    }

    /// A payer that attests a tree of another form than it says gives nobody two places in it.
    function test_RevertWhen_TheLeafIsNotAtTheDepth() public {
        _fundAll(600);
        (Proof[4] memory proofs, SumTree.Node memory root) = _tree(_plain(), _today());
        SumTree.Node[2] memory halves = [_leafNode(proofs[2], _today()), proofs[2].path[1]];
        root = _parentNode(halves[0], halves[1]);
        _attestRoot(root, 4);
        _exit();
        (proofs[2].leaf.position, proofs[2].path) = (0, new SumTree.Node[](1));
        proofs[2].path[0] = halves[1];
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _claim(proofs[2]);
        // The others are as deep as the attestation says.
        proofs[0].leaf.position = 2;
        proofs[0].path[1] = halves[0];
        _claim(proofs[0]);
    }

    /// A payer that attests sums that have wrapped around owes less than the leaves of its tree: none of these counts.
    function testFuzz_RevertWhen_SumsWrap(uint8 which, uint128 total) public {
        _fundAll(600);
        (which, total) = (which % 3, uint128(bound(total, 0, type(uint128).max - 1)));
        uint128[3][4] memory owed = _plain();
        owed[0][which] = type(uint128).max;
        (Proof[4] memory proofs, SumTree.Node memory root) = _wrappedTree(owed, total + 1, which);
        _attestRoot(root, 2);
        _exit();
        vm.expectRevert(abi.encodeWithSelector(bytes4(0x4e487b71), 0x11));
        _claim(proofs[0]);
    }

    /// @dev The first two leaves, whose sums of one asset are 2^128 and so much more, which is all that the root says.
    function _wrappedTree(uint128[3][4] memory owed, uint128 total, uint256 which)
        private
        view
        returns (Proof[4] memory proofs, SumTree.Node memory root)
    {
        (owed[2], owed[3]) = ([uint128(0), 0, 0], [uint128(0), 0, 0]);
        uint128 first = owed[0][which];
        owed[1][which] = 0;
        (proofs,) = _tree(owed, _today());
        proofs[1].leaf.owed[which] = total;
        SumTree.Node memory left = _leafNode(proofs[0], _today());
        SumTree.Node memory right = _leafNode(proofs[1], _today());
        root.hash = keccak256(bytes.concat(hex"01", _packed(left), _packed(right)));
        for (uint256 i = 0; i < 3; ++i) {
            unchecked {
                root.sums[i] = left.sums[i] + right.sums[i];
            }
        }
        vm.assertLt(root.sums[which], first, "it has wrapped");
        proofs[0].path = new SumTree.Node[](1);
        proofs[0].path[0] = right;
    }

    function _packed(SumTree.Node memory node) private pure returns (bytes memory) {
        return abi.encodePacked(node.hash, node.sums[0], node.sums[1], node.sums[2]);
    }

    function test_RevertWhen_SumsDiffer() public {
        _fundAll(600);
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            (Proof[4] memory proofs, SumTree.Node memory root) = _tree(_plain(), _today());
            root.sums[i] += 1;
            _attestRoot(root, 4);
            _exit();
            vm.expectRevert(IAttestedGateway.NotInTree.selector);
            _claim(proofs[0]);
        }
    }

    function test_RevertWhen_ProofIsOld() public {
        _fundAll(600);
        Proof[4] memory old = _attest(_plain());
        vm.warp(block.timestamp + 1 days);
        _nextBlock();
        _attest(_plain());
        _exit();
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _claim(old[0]);
    }

    function test_RevertWhen_NothingIsDue() public {
        Proof[4] memory proofs = _opened();
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[3]));
        _claim(proofs[3]);
    }

    /// A token sends to the contract itself without complaint: the claim would count, and keep a part of the rest from all others.
    function test_RevertWhen_ItIsTheContractsOwnLeaf() public {
        members[1] = address(gateway);
        Proof[4] memory proofs = _heldOnly(300);
        _claim(proofs[0]);
        _claim(proofs[2]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, address(gateway)));
        _claim(proofs[1]);
        vm.assertEq(gateway.claimable(address(gateway), proofs[1].leaf.owed)[0], 0, "nor is it claimable");
        _toSharingAgain();
        vm.assertEq(usdt.balanceOf(address(gateway)), 100, "its part stays, as that of anybody who has not claimed");
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, address(gateway)));
        _claim(proofs[1]);
    }

    function test_RevertWhen_Claimed() public {
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertTrue(gateway.isClaimed(members[0])[i], "marked");
            vm.assertTrue(!gateway.isClaimed(members[1])[i], "nobody else is");
        }
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "once");
    }

    function test_WhatIsRefusedStays() public {
        members[0] = address(new RefusingRecipient());
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "USDT was sent");
        vm.assertEq(hash.balanceOf(members[0]), 100, "and the subcoin");
        vm.assertTrue(!gateway.isClaimed(members[0])[2], "the native currency was refused");
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[2], 100, "and stays");
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 0, "what was sent does not");
    }

    function test_RevertWhen_AllIsRefused() public {
        members[0] = address(new RefusingRecipient());
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        // A token that returns false keeps nothing else back.
        setUp();
        FalseReturnToken liar = new FalseReturnToken(address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(liar));
        proofs = _opened();
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[1]), 200, "USDT was sent");
        vm.assertTrue(!gateway.isClaimed(members[1])[1], "the subcoin was not");
    }

    function test_WhatIsToldLaterIsShared() public {
        (Proof[4] memory proofs, MuteToken mute) = _withMuteSubcoin();
        mute.set(MuteToken.Mood.Reverting);
        _exit();
        _claim(proofs[0]);
        vm.assertTrue(!gateway.isClaimed(members[0])[1], "not yet");
        // Its year begins when it tells: nobody has lost anything by then.
        vm.warp(block.timestamp + 400 days);
        mute.set(MuteToken.Mood.Honest);
        // Half of it is gone: both get half, and what comes later changes no share.
        vm.prank(address(gateway));
        require(mute.transfer(friend, 300));
        vm.assertEq(gateway.claimable(members[1], proofs[1].leaf.owed)[1], 100, "claimable before the first claim");
        _claim(proofs[0]);
        vm.assertEq(mute.balanceOf(members[0]), 50, "the first");
        vm.assertEq(gateway.sharedAtExit()[1].held, 300, "is fixed by it");
        vm.assertEq(gateway.sharedAtExit()[1].sharedAgainAt, block.timestamp + 365 days, "as is its year");
        vm.prank(friend);
        require(mute.transfer(address(gateway), 300));
        _claim(proofs[1]);
        vm.assertEq(mute.balanceOf(members[1]), 100, "the second");
    }

    function test_ReentrantTokenGetsNothing() public {
        ReentrantToken reentrant = new ReentrantToken(address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(reentrant));
        Proof[4] memory proofs = _opened();
        Proof memory proof = proofs[0];
        bytes memory again = abi.encodeCall(gateway.claim, (proof.leaf, proof.salt, proof.path));
        reentrant.arm(address(gateway), again, 0);
        _claim(proof);
        vm.assertEq(members[0].balance, 100, "the native currency was sent once");
        vm.assertEq(reentrant.balanceOf(members[0]), 0, "the token not at all");
    }

    function test_PaidSinceIsDeducted() public {
        _fundAll(700);
        uint256 attested = block.number;
        _nextBlock();
        // In the block after the attested one, before the attestation; and after it.
        _pay(address(usdt), members[0], 30);
        _nextBlock();
        (Proof[4] memory proofs, SumTree.Node memory root) = _tree(_plain(), _today());
        vm.prank(attester);
        gateway.attest(_today(), root.hash, root.sums, address(hash), 4, attested, 7);
        _nextBlock();
        _pay(address(usdt), members[0], 5);
        vm.assertEq(gateway.paidSince(address(usdt), members[0]), 35, "both");
        vm.assertEq(gateway.paidSince(address(hash), members[0]), 0, "in one asset");
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "all in all its leaf");
        vm.assertEq(hash.balanceOf(members[0]), 100, "another asset in full");
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[1]), 200, "another member in full");
    }

    function test_PaidBeforeIsNotDeducted() public {
        _fundAll(700);
        _pay(address(usdt), members[0], 30);
        _nextBlock();
        _pay(address(usdt), members[0], 7);
        _nextBlock();
        // Attested as of the block of the second payment.
        Proof[4] memory proofs = _attest(_plain());
        vm.assertEq(gateway.paidSince(address(usdt), members[0]), 0, "none since");
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 137, "the whole leaf on top");
    }

    function test_PaidMoreThanOwed() public {
        _fundAll(1_000);
        Proof[4] memory proofs = _attest(_plain());
        _pay(address(usdt), members[0], 150);
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 150, "nothing on top");
        vm.assertEq(hash.balanceOf(members[0]), 100, "the other assets");
    }

    function test_TheAttestedSubcoinIsPaid() public {
        _fundAll(600);
        Proof[4] memory proofs = _attest(_plain());
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        _exit();
        _claim(proofs[0]);
        vm.assertEq(hash.balanceOf(members[0]), 100, "the attested one");
        vm.assertEq(next.balanceOf(members[0]), 0, "not the new one");
    }

    function testFuzz_TheMemberIsPaid(address caller) public {
        Proof[4] memory proofs = _opened();
        for (uint256 i = 0; i < 3; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                vm.expectEmit(true, true, true, true, address(gateway));
                emit Claimed(members[i], _assets()[j], 100 * (i + 1));
            }
            vm.prank(caller);
            _claim(proofs[i]);
            for (uint256 j = 0; j < 3; ++j) {
                vm.assertEq(_balance(_assets()[j], members[i]), 100 * (i + 1), "the whole leaf");
            }
        }
    }
}
