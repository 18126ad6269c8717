// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A contract wallet, for development chains
/// @notice One key owns it and acts through it. The key can be replaced; the address stays.
/// @dev It accepts its owner's signature of the bare hash, so all accounts of one owner accept the same signatures: what
/// is signed has to name the account that it is for.
contract SmartAccount is IERC1271 {
    /// @notice The address whose key signs for this account.
    address public owner;

    event OwnerChanged(address indexed from, address indexed to);

    /// @notice The caller is not the owner.
    error NotOwner(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor(address owner_) {
        owner = owner_;
        emit OwnerChanged(address(0), owner_);
    }

    receive() external payable {}

    /// @notice Replaces the key of the account. Signatures of the previous key are invalid from then on.
    function setOwner(address next) external onlyOwner {
        emit OwnerChanged(owner, next);
        owner = next;
    }

    /// @notice Makes any call as this account, with its own money or with the value of the transaction.
    function execute(address to, uint256 value, bytes calldata data) external payable onlyOwner {
        (bool success, bytes memory returned) = to.call{value: value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(returned, 32), mload(returned))
            }
        }
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool accepted = failure == ECDSA.RecoverError.NoError && signer == owner;
        return accepted ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
