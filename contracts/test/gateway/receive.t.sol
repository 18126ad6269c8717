// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {bound, vm} from "../base/Vm.sol";
import {ReturningRecipient} from "../mocks/Recipients.sol";

contract ReceiveTest is GatewayTest {
    function test_RevertWhen_NothingIsSent() public {
        vm.prank(customer);
        (bool done, bytes memory reason) = address(gateway).call("");
        vm.assertTrue(!done, "an empty transfer is refused");
        vm.assertEq(bytes32(reason), bytes32(IPaymentGateway.ZeroAmount.selector), "and says why");
    }

    function test_RevertWhen_NeverAttested() public {
        gateway = _newGateway(CAP);
        vm.prank(customer);
        (bool done, bytes memory reason) = address(gateway).call{value: 1}("");
        vm.assertTrue(!done, "no money without a way out");
        vm.assertEq(bytes32(bytes4(reason)), bytes32(IAttestedGateway.NeverAttested.selector), "and says why");
        _open();
        vm.prank(customer);
        (done,) = address(gateway).call{value: 1}("");
        vm.assertTrue(done, "then it comes in");
    }

    function test_RevertWhen_CalldataIsUnknown() public {
        vm.startPrank(customer);
        (bool withValue,) = address(gateway).call{value: 1}(hex"00");
        (bool without,) = address(gateway).call(hex"deadbeef");
        vm.stopPrank();
        vm.assertTrue(!withValue && !without, "there is no fallback");
        vm.assertEq(address(gateway).balance, 0, "no money stayed");
    }

    function testFuzz_PlainTransferIsReceived(uint256 amount) public {
        amount = bound(amount, 1, SUPPLY);
        _expectReceipt(NATIVE, amount, "native:", customer, customer);
        vm.prank(customer);
        (bool done,) = address(gateway).call{value: amount}("");
        vm.assertTrue(done, "a plain transfer is accepted");
        vm.assertEq(address(gateway).balance, amount, "the gateway has the amount");
    }

    function test_PaidMoneyCanComeBackAtOnce() public {
        _fund(NATIVE, 10);
        address wallet = address(new ReturningRecipient());
        _expectReceipt(NATIVE, 4, "native:", wallet, wallet);
        vm.prank(payer);
        gateway.pay("one", NATIVE, wallet, 4);
        vm.assertEq(address(gateway).balance, 10, "what went out came back");
        vm.assertEq(gateway.leftOfCap(NATIVE), CAP - 4, "and still counts as paid");
    }
}
