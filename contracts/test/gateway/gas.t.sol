// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {vm} from "../base/Vm.sol";

/// @notice Measures what each call costs its sender, kept in snapshots/PaymentGateway.json and checked by `npm test`.
/// forge-config: default.isolate = true
/// forge-config: ci.isolate = true
contract GasTest is ProofTest {
    string private constant GROUP = "PaymentGateway";

    /// @dev The gas limit that wallets are told to use.
    uint256 private constant RECHARGE_LIMIT = 1_000_000;
    uint256 private constant TRANSFER_LIMIT = 2_000_000;

    function test_Gas_RechargeNative() public {
        bytes memory data = abi.encode(1 ether, NATIVE, customer, "K3V9QX7Z2M");
        vm.prank(customer);
        gateway.recharge{value: 1 ether}("buyPower", data);
        vm.assertLt(vm.snapshotGasLastCall(GROUP, "recharge native"), RECHARGE_LIMIT, "within the wallet's limit");
    }

    function test_Gas_RechargeToken() public {
        bytes memory data = abi.encode(1 ether, address(usdt), customer, "K3V9QX7Z2M");
        vm.prank(customer);
        gateway.recharge("buyPower", data);
        vm.assertLt(vm.snapshotGasLastCall(GROUP, "recharge USDT"), RECHARGE_LIMIT, "within the wallet's limit");
    }

    function test_Gas_RechargeWithTheLongestReference() public {
        bytes memory text = new bytes(128);
        for (uint256 i = 0; i < text.length; ++i) {
            text[i] = "~";
        }
        bytes memory data = abi.encode(1 ether, address(usdt), customer, string(text));
        vm.prank(customer);
        gateway.recharge("buyPower", data);
        uint256 gas = vm.snapshotGasLastCall(GROUP, "recharge USDT, longest reference");
        vm.assertLt(gas, RECHARGE_LIMIT, "within the wallet's limit");
    }

    function test_Gas_PlainTransfer() public {
        vm.prank(customer);
        (bool done,) = address(gateway).call{value: 1 ether}("");
        vm.assertTrue(done, "accepted");
        vm.assertLt(vm.snapshotGasLastCall(GROUP, "plain native transfer"), TRANSFER_LIMIT, "within the wallet's limit");
    }

    function test_Gas_PayNative() public {
        _fund(NATIVE, 1 ether);
        vm.prank(payer);
        gateway.pay("id", NATIVE, friend, 1 ether);
        vm.snapshotGasLastCall(GROUP, "pay native");
    }

    function test_Gas_PayToken() public {
        _fund(address(usdt), 1 ether);
        vm.prank(payer);
        gateway.pay("id", address(usdt), friend, 1 ether);
        vm.snapshotGasLastCall(GROUP, "pay USDT");
    }

    function test_Gas_PayBatch() public {
        _fund(address(usdt), 10 ether);
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](10);
        for (uint256 i = 0; i < payments.length; ++i) {
            address to = address(uint160(0xBEEF00 + i));
            payments[i] = IPaymentGateway.Payment(bytes32(i + 1), address(usdt), to, 1 ether);
        }
        vm.prank(payer);
        gateway.payBatch(payments);
        vm.snapshotGasLastCall(GROUP, "payBatch of 10 in USDT");
    }

    function test_Gas_PayTokenAgain() public {
        _fund(address(usdt), 2 ether);
        vm.prank(payer);
        gateway.pay("id", address(usdt), friend, 1 ether);
        _nextBlock();
        vm.prank(payer);
        gateway.pay("id 2", address(usdt), friend, 1 ether);
        vm.snapshotGasLastCall(GROUP, "pay USDT to the same address again");
    }

    function test_Gas_Attest() public {
        _attest(_plain());
        vm.warp(block.timestamp + 1 days);
        _nextBlock();
        _attest(_plain());
        vm.snapshotGasLastCall(GROUP, "attest");
    }

    function test_Gas_ClaimOfAMillion() public {
        _fundAll(600 ether);
        Proof memory proof;
        proof.leaf = SumTree.Leaf(friend, 0xABCDE, [uint128(1 ether), 2 ether, 3 ether]);
        proof.path = new SumTree.Node[](20);
        SumTree.Node memory root = _leafNode(proof, _today());
        for (uint256 i = 0; i < 20; ++i) {
            proof.path[i] = SumTree.Node(keccak256(abi.encode(i)), [uint128(i), i % 3 == 0 ? 0 : 1 ether, 2 ether]);
            bool isLeft = proof.leaf.position >> i & 1 == 0;
            root = isLeft ? _parentNode(root, proof.path[i]) : _parentNode(proof.path[i], root);
        }
        _attestRoot(root, 1 << 20);
        _exit();
        _claim(proof);
        vm.assertLt(
            vm.snapshotGasLastCall(GROUP, "claim of 3 assets in 2^20 leaves"), RECHARGE_LIMIT, "within a wallet's limit"
        );
        vm.assertEq(usdt.balanceOf(friend), 1 ether, "paid");
    }

    /// A wallet tries a transaction at the time of the newest block, here that of the exit, and offers as much gas as it took there.
    function test_Gas_ClaimRightAfterTheExit() public {
        _fundAll(300);
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        uint256 state = vm.snapshotState();
        _claim(proofs[0]);
        uint256 tried = vm.snapshotGasLastCall(GROUP, "claim of 3 assets of which half is held");
        require(vm.revertToState(state));
        _nextBlock();
        _claim(proofs[0]);
        vm.assertEq(uint256(vm.lastCallGas().gasTotalUsed), tried, "as much a second later");
    }
}
