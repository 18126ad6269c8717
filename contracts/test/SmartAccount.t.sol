// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SmartAccount} from "../src/dev/SmartAccount.sol";
import {SmartAccountFactory} from "../src/dev/SmartAccountFactory.sol";
import {StablecoinToken} from "../src/dev/StablecoinToken.sol";
import {bound, vm} from "./base/Vm.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

contract SmartAccountTest {
    bytes4 private constant ACCEPTED = 0x1626ba7e;
    uint256 private constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    uint256 private constant KEY = 0xA11CE;
    address private owner = vm.addr(KEY);
    address private stranger = address(0x57A6);
    SmartAccountFactory private factory = new SmartAccountFactory();
    SmartAccount private account;

    function setUp() public {
        account = factory.deploy(owner, 0);
    }

    function signed(uint256 key, bytes32 hash) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, hash);
        return abi.encodePacked(r, s, v);
    }

    function accepts(bytes32 hash, bytes memory signature) private view returns (bool) {
        return account.isValidSignature(hash, signature) == ACCEPTED;
    }

    function testFuzz_DeployedWhereTold(address owner_, bytes32 salt) public {
        address told = factory.addressOf(owner_, salt);
        SmartAccount deployed = factory.deploy(owner_, salt);
        vm.assertEq(address(deployed), told, "where");
        vm.assertEq(deployed.owner(), owner_, "whose");
    }

    function test_DeployedOnce() public {
        vm.assertEq(address(factory.deploy(owner, 0)), address(account), "the same");
        vm.assertTrue(address(factory.deploy(owner, bytes32(uint256(1)))) != address(account), "another salt");
    }

    function testFuzz_AcceptsItsOwner(bytes32 hash) public view {
        vm.assertTrue(accepts(hash, signed(KEY, hash)), "the owner's");
    }

    function testFuzz_RefusesOthers(uint256 key, bytes32 hash, bytes32 other) public view {
        key = bound(key, 1, ORDER - 1);
        vm.assume(key != KEY && hash != other);
        vm.assertTrue(!accepts(hash, signed(key, hash)), "another key's");
        vm.assertTrue(!accepts(hash, signed(KEY, other)), "another hash's");
    }

    function test_RefusesGarbage() public view {
        vm.assertTrue(!accepts(0, ""), "nothing");
        vm.assertTrue(!accepts(0, new bytes(65)), "zeros");
        vm.assertTrue(!accepts(0, new bytes(10_000)), "much");
    }

    function test_OwnerChanges() public {
        uint256 next = KEY + 1;
        vm.prank(owner);
        account.setOwner(vm.addr(next));
        vm.assertEq(account.owner(), vm.addr(next), "the owner");
        vm.assertTrue(accepts(0, signed(next, 0)), "the next one's");
        vm.assertTrue(!accepts(0, signed(KEY, 0)), "the last one's");
    }

    function test_RevertWhen_StrangerSetsOwner() public {
        vm.expectRevert(abi.encodeWithSelector(SmartAccount.NotOwner.selector, stranger));
        vm.prank(stranger);
        account.setOwner(stranger);
    }

    function test_Executes() public {
        vm.deal(address(account), 5 ether);
        vm.prank(owner);
        account.execute(stranger, 2 ether, "");
        vm.assertEq(stranger.balance, 2 ether, "arrived");
        vm.assertEq(address(account).balance, 3 ether, "left");
    }

    function test_RevertWhen_CalleeReverts() public {
        StablecoinToken token = new StablecoinToken("Tether USD", "USDT", 1, owner);
        bytes memory call = abi.encodeCall(token.transfer, (stranger, 7));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, address(account), 0, 7));
        vm.prank(owner);
        account.execute(address(token), 0, call);
    }

    function test_RevertWhen_StrangerExecutes() public {
        vm.expectRevert(abi.encodeWithSelector(SmartAccount.NotOwner.selector, stranger));
        vm.prank(stranger);
        account.execute(stranger, 0, "");
    }
}
