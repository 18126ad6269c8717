// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {GatewayTest, IFactory} from "../base/GatewayTest.sol";
import {vm} from "../base/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract SettingsTest is GatewayTest {
    event SwapRouterChanged(address indexed previousRouter, address indexed newRouter);
    event SubcoinChanged(address indexed previousSubcoin, address indexed newSubcoin);

    function test_DeployedAsTold() public {
        vm.expectEmit(true, true, true, true);
        emit SwapRouterChanged(address(0), router);
        vm.expectEmit(true, true, true, true);
        emit SubcoinChanged(address(0), address(hash));
        PaymentGateway fresh = new PaymentGateway(_setup(CAP), router, address(usdt), address(hash));
        vm.assertEq(fresh.owner(), owner, "owner");
        vm.assertEq(fresh.swapRouter(), router, "router");
        vm.assertEq(fresh.usdt(), address(usdt), "USDT");
        vm.assertEq(fresh.token(), address(hash), "subcoin");
        vm.assertTrue(!fresh.paused(), "not paused");
        vm.assertEq(fresh.lastAttestation().attestedAt, 0, "nothing attested");
    }

    function test_PairOfTheRealFactory() public {
        vm.assertEq(gateway.pair(), address(0), "none before it is made");
        address pair = IFactory(factory).createPair(address(usdt), address(hash));
        vm.assertEq(gateway.pair(), pair, "the factory's pair");
    }

    function test_RevertWhen_DeployedWithAWrongAddress() public {
        IGatewayControl.Setup memory setup = _setup(CAP);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, stranger));
        new PaymentGateway(setup, stranger, address(usdt), address(hash));
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, stranger));
        new PaymentGateway(setup, router, stranger, address(hash));
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, stranger));
        new PaymentGateway(setup, router, address(usdt), stranger);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.SameToken.selector, usdt));
        new PaymentGateway(setup, router, address(usdt), address(usdt));
        setup.owner = address(0);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new PaymentGateway(setup, router, address(usdt), address(hash));
    }

    function testFuzz_RevertWhen_CallerIsNotOwner(address caller) public {
        vm.assume(caller != owner);
        address[4] memory callers = [caller, payer, attester, guardian];
        bytes[11] memory calls = [
            abi.encodeCall(gateway.setGuardian, (caller)),
            abi.encodeCall(gateway.nameStandby, (IGatewayControl.Role.Payer, caller)),
            abi.encodeCall(gateway.switchToStandby, (IGatewayControl.Role.Attester)),
            abi.encodeCall(gateway.removePayer, ()),
            abi.encodeCall(gateway.lowerCap, (NATIVE, 1)),
            abi.encodeCall(gateway.announceRaise, (NATIVE, 1)),
            abi.encodeCall(gateway.raiseCap, (NATIVE)),
            abi.encodeCall(gateway.setSwapRouter, (factory)),
            abi.encodeCall(gateway.setSubcoin, (router)),
            abi.encodeCall(gateway.unpause, ()),
            abi.encodeCall(gateway.transferOwnership, (caller))
        ];
        for (uint256 i = 0; i < 4 * calls.length; ++i) {
            vm.prank(callers[i % 4]);
            (bool done, bytes memory reason) = address(gateway).call(calls[i / 4]);
            vm.assertTrue(!done, "refused");
            bytes memory expected = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i % 4]);
            vm.assertEq(keccak256(reason), keccak256(expected), "and says why");
        }
    }

    function test_SetSwapRouter() public {
        string memory artifact = "../node_modules/@uniswap/v2-core/build/UniswapV2Factory.json";
        address otherFactory = _deploy(artifact, abi.encode(address(this)));
        artifact = "../node_modules/@uniswap/v2-periphery/build/UniswapV2Router02.json";
        address otherRouter = _deploy(artifact, abi.encode(otherFactory, stranger));
        IFactory(factory).createPair(address(usdt), address(hash));
        address pair = IFactory(otherFactory).createPair(address(usdt), address(hash));
        vm.expectEmit(true, true, true, true, address(gateway));
        emit SwapRouterChanged(router, otherRouter);
        vm.prank(owner);
        gateway.setSwapRouter(otherRouter);
        vm.assertEq(gateway.swapRouter(), otherRouter, "the new router");
        vm.assertEq(gateway.pair(), pair, "and its pair");
    }

    function test_RevertWhen_RouterIsNoContract() public {
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, stranger));
        vm.prank(owner);
        gateway.setSwapRouter(stranger);
    }

    function test_SetSubcoin() public {
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, customer);
        IFactory(factory).createPair(address(usdt), address(hash));
        address pair = IFactory(factory).createPair(address(usdt), address(next));
        vm.expectEmit(true, true, true, true, address(gateway));
        emit SubcoinChanged(address(hash), address(next));
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        vm.assertEq(gateway.token(), address(next), "the new subcoin");
        vm.assertEq(gateway.pair(), pair, "and its pair");
    }

    function test_RevertWhen_SubcoinIsNoContract() public {
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotAContract.selector, address(0)));
        vm.prank(owner);
        gateway.setSubcoin(address(0));
    }

    function test_RevertWhen_SubcoinIsUsdt() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.SameToken.selector, usdt));
        vm.prank(owner);
        gateway.setSubcoin(address(usdt));
    }

    function test_OwnerAndGuardianMayPause() public {
        vm.prank(owner);
        gateway.pause();
        vm.assertTrue(gateway.paused(), "paused by the owner");
        vm.prank(owner);
        gateway.unpause();
        vm.assertTrue(!gateway.paused(), "and open again");
        vm.prank(guardian);
        gateway.pause();
        vm.assertTrue(gateway.paused(), "paused by the guardian");
    }

    function testFuzz_RevertWhen_AnybodyElsePauses(address caller) public {
        vm.assume(caller != owner && caller != guardian);
        address[3] memory callers = [caller, payer, attester];
        for (uint256 i = 0; i < 3; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotOwnerOrGuardian.selector, callers[i]));
            vm.prank(callers[i]);
            gateway.pause();
        }
    }

    function test_OwnershipMovesAfterTheNotice() public {
        uint256 from = block.timestamp + 7 days;
        vm.prank(owner);
        gateway.transferOwnership(friend);
        vm.assertEq(gateway.owner(), owner, "nothing yet");
        vm.assertEq(gateway.pendingOwner(), friend, "but announced");
        vm.assertEq(gateway.ownershipFrom(), from, "for then");
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
        vm.prank(friend);
        gateway.acceptOwnership();
        vm.warp(from);
        vm.prank(friend);
        gateway.acceptOwnership();
        vm.assertEq(gateway.owner(), friend, "now");
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner));
        vm.prank(owner);
        gateway.removePayer();
    }

    function test_ANameForTheOwnerLapses() public {
        vm.prank(owner);
        gateway.transferOwnership(friend);
        uint256 until = block.timestamp + 7 days + 30 days;
        vm.warp(until + 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooLate.selector, until));
        vm.prank(friend);
        gateway.acceptOwnership();
        vm.warp(until);
        vm.prank(friend);
        gateway.acceptOwnership();
        vm.assertEq(gateway.owner(), friend, "until then");
    }

    function test_ANewNameBeginsTheNoticeAgain() public {
        vm.prank(owner);
        gateway.transferOwnership(friend);
        vm.warp(block.timestamp + 7 days);
        vm.prank(owner);
        gateway.transferOwnership(stranger);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, block.timestamp + 7 days));
        vm.prank(stranger);
        gateway.acceptOwnership();
        vm.warp(block.timestamp + 7 days);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, friend));
        vm.prank(friend);
        gateway.acceptOwnership();
    }

    function testFuzz_RevertWhen_StrangerAccepts(address caller) public {
        vm.assume(caller != friend);
        vm.prank(owner);
        gateway.transferOwnership(friend);
        vm.warp(block.timestamp + 7 days);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        gateway.acceptOwnership();
    }

    function test_RevertWhen_OwnerRenounces() public {
        vm.expectRevert(IGatewayControl.CannotRenounce.selector);
        vm.prank(owner);
        gateway.renounceOwnership();
        vm.assertEq(gateway.owner(), owner, "the owner stays");
    }
}
