// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentGateway} from "../IPaymentGateway.sol";

/// @title Many payments in one transaction, for load on development chains
contract PaymentBurst {
    /// @notice Deposits 1, 2, … `count` wei of the native currency for `customer`, each as a separate payment.
    /// @dev The value of the transaction must be the sum of the amounts.
    function burst(IPaymentGateway gateway, address customer, uint256 count) external payable {
        for (uint256 amount = 1; amount <= count; ++amount) {
            gateway.recharge{value: amount}("deposit", abi.encode(amount, address(0), customer, "burst"));
        }
    }
}
