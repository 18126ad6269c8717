// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SmartAccount} from "./SmartAccount.sol";

/// @title Deploys contract wallets whose addresses are known beforehand
contract SmartAccountFactory {
    /// @notice The account of an owner and a salt; it is deployed by the first call, and later calls return the same address.
    function deploy(address owner, bytes32 salt) external returns (SmartAccount account) {
        account = SmartAccount(payable(addressOf(owner, salt)));
        if (address(account).code.length == 0) account = new SmartAccount{salt: salt}(owner);
    }

    /// @notice The address of that account, whether it is deployed or not.
    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SmartAccount).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
