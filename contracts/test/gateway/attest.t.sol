// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {bound, vm} from "../base/Vm.sol";

/// @notice Calls the library as the gateway does.
contract SumTreeCaller {
    function rootOf(
        SumTree.Leaf calldata leaf,
        bytes32 salt,
        SumTree.Node[] calldata path,
        address gateway,
        uint256 day
    ) external view returns (SumTree.Node memory) {
        return SumTree.rootOf(leaf, salt, path, gateway, day);
    }
}

contract AttestTest is ProofTest {
    event Attested(
        uint256 indexed day, bytes32 root, uint128[3] sums, uint256 leaves, uint256 blockNumber, uint256 ledgerSequence
    );

    bytes32 private constant ROOT = keccak256("root");
    uint128[3] private sums = [uint128(1), 2, 3];

    function testFuzz_RevertWhen_CallerIsNotAttester(address caller) public {
        vm.assume(caller != attester);
        address[5] memory callers = [caller, owner, payer, guardian, standbyAttester];
        for (uint256 i = 0; i < 5; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAttester.selector, callers[i]));
            vm.prank(callers[i]);
            gateway.attest(_today(), ROOT, sums, address(hash), 4, block.number - 1, 7);
        }
    }

    function test_RevertWhen_DayIsBad() public {
        uint256 today = _today();
        _expectBad(today + 1);
        _try(today - 1, ROOT, 4, 990, 7);
        _expectBad(today - 1);
        _expectBad(today - 2);
        _try(today, ROOT, 4, 995, 7);
        vm.warp((today + 1) * 1 days - 1);
        _expectBad(today + 1);
        vm.warp((today + 1) * 1 days);
        _try(today + 1, ROOT, 4, 999, 7);
    }

    function test_RevertWhen_RootIsZero() public {
        vm.expectRevert(IAttestedGateway.ZeroRoot.selector);
        _try(_today(), bytes32(0), 4, 999, 7);
    }

    function testFuzz_RevertWhen_LeavesAreBad(uint256 leaves) public {
        uint256[5] memory bad = [uint256(0), 3, 2 ** 32 + 1, 2 ** 33, leaves];
        for (uint256 i = 0; i < 5; ++i) {
            bool isGood = bad[i] != 0 && bad[i] & (bad[i] - 1) == 0 && bad[i] <= 2 ** 32;
            if (isGood) continue;
            vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.BadLeaves.selector, bad[i]));
            _try(_today(), ROOT, bad[i], 999, 7);
        }
    }

    function test_RevertWhen_BlockIsBad() public {
        uint256[2] memory early = [block.number, block.number + 1];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.BadBlock.selector, early[i]));
            _try(_today(), ROOT, 4, early[i], 7);
        }
        _try(_today(), ROOT, 4, 999, 7);
    }

    /// An attestation by a thief of the attester's key keeps the honest one out of no later day.
    function testFuzz_NoFieldKeepsALaterDayOut(
        uint8 depth,
        uint48 blockNumber,
        uint64 sequence,
        uint128[3] calldata owed,
        address subcoin
    ) public {
        uint256 thiefsBlock = bound(blockNumber, 0, block.number - 1);
        vm.prank(attester);
        gateway.attest(_today(), keccak256("theft"), owed, subcoin, 1 << bound(depth, 0, 32), thiefsBlock, sequence);
        vm.prank(owner);
        gateway.switchToStandby(IGatewayControl.Role.Attester);
        vm.warp((_today() + 1) * 1 days);
        vm.prank(standbyAttester);
        // The service may follow an earlier block than the thief named, and its ledger is shorter.
        gateway.attest(_today(), ROOT, sums, address(hash), 4, 1, 0);
        vm.assertEq(gateway.lastAttestation().root, ROOT, "attested");
    }

    function test_RevertWhen_InExit() public {
        _attest(_plain());
        _exit();
        vm.expectRevert(IAttestedGateway.InExit.selector);
        _try(_today(), ROOT, 4, 999, 7);
    }

    function testFuzz_IsStored(
        bytes32 root,
        uint128[3] calldata owed,
        address subcoin,
        uint8 depth,
        uint48 blocks,
        uint64 sequence
    ) public {
        vm.assume(root != 0);
        uint256 blockNumber = bound(blocks, 1, 2 ** 40);
        depth = uint8(bound(depth, 0, 32));
        vm.roll(blockNumber + 1);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit Attested(_today(), root, owed, 1 << depth, blockNumber, sequence);
        vm.prank(attester);
        gateway.attest(_today(), root, owed, subcoin, 1 << depth, blockNumber, sequence);
        IAttestedGateway.Attestation memory last = gateway.lastAttestation();
        vm.assertEq(last.root, root, "root");
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(last.sums[i], owed[i], "sum");
        }
        vm.assertEq(last.subcoin, subcoin, "subcoin");
        vm.assertEq(last.attestedAt, block.timestamp, "time");
        vm.assertEq(last.day, _today(), "day");
        vm.assertEq(last.blockNumber, blockNumber, "block");
        vm.assertEq(last.depth, depth, "depth");
        vm.assertEq(last.ledgerSequence, sequence, "sequence");
    }

    function test_WhilePaused() public {
        vm.prank(owner);
        gateway.pause();
        _try(_today(), ROOT, 4, 999, 7);
        vm.assertEq(gateway.lastAttestation().root, ROOT, "attested");
    }

    function test_TheNextReplacesIt() public {
        _try(_today(), ROOT, 4, 998, 7);
        vm.warp(block.timestamp + 1 days);
        _try(_today(), keccak256("next"), 8, 999, 8);
        IAttestedGateway.Attestation memory last = gateway.lastAttestation();
        vm.assertEq(last.root, keccak256("next"), "root");
        vm.assertEq(last.depth, 3, "depth");
        vm.assertEq(last.attestedAt, block.timestamp, "time");
    }

    function test_HashesAreThoseOfTheTestVectors() public {
        string memory json = vm.readFile("../protocol/proof/test-vectors.json");
        vm.chainId(vm.parseJsonUint(json, ".chainId"));
        SumTreeCaller caller = new SumTreeCaller();
        SumTree.Node[] memory path = new SumTree.Node[](2);
        // The first leaf's sibling is the second leaf, then the parent of the other two.
        SumTree.Leaf memory second = _vectorLeaf(json, 1);
        path[0] = SumTree.Node(vm.parseJsonBytes32(json, ".leaves[1].hash"), second.owed);
        uint128[3] memory third = _vectorLeaf(json, 2).owed;
        uint128[3] memory fourth = _vectorLeaf(json, 3).owed;
        uint128[3] memory both = [third[0] + fourth[0], third[1] + fourth[1], third[2] + fourth[2]];
        path[1] = SumTree.Node(vm.parseJsonBytes32(json, ".parents[1]"), both);
        SumTree.Node memory root = caller.rootOf(
            _vectorLeaf(json, 0),
            vm.parseJsonBytes32(json, ".leaves[0].salt"),
            path,
            vm.parseJsonAddress(json, ".gateway"),
            vm.parseJsonUint(json, ".dayNumber")
        );
        vm.assertEq(root.hash, vm.parseJsonBytes32(json, ".root.hash"), "root");
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(root.sums[i], vm.parseJsonUint(json, string.concat(".root.sums[", _digit(i), "]")), "sum");
        }
    }

    function _vectorLeaf(string memory json, uint256 index) private pure returns (SumTree.Leaf memory leaf) {
        string memory key = string.concat(".leaves[", _digit(index), "]");
        leaf.member = vm.parseJsonAddress(json, string.concat(key, ".member"));
        leaf.position = index;
        for (uint256 i = 0; i < 3; ++i) {
            leaf.owed[i] = uint128(vm.parseJsonUint(json, string.concat(key, ".owed[", _digit(i), "]")));
        }
    }

    function _digit(uint256 number) private pure returns (string memory) {
        return string(abi.encodePacked(uint8(48 + number)));
    }

    function _expectBad(uint256 day) private {
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.BadDay.selector, day));
        _try(day, ROOT, 4, 999, 7);
    }

    function _try(uint256 day, bytes32 root, uint256 leaves, uint256 blockNumber, uint64 sequence) private {
        vm.prank(attester);
        gateway.attest(day, root, sums, address(hash), leaves, blockNumber, sequence);
    }
}
