// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentGateway} from "../../src/PaymentGateway.sol";

/// @notice Refuses native money.
contract RefusingRecipient {}

/// @notice Burns all gas that it is given.
contract HungryRecipient {
    receive() external payable {
        while (true) {}
    }
}

/// @notice Returns as much data as its gas allows; a caller that copies the data has to pay for it too.
contract ReturnBombRecipient {
    receive() external payable {
        assembly ("memory-safe") {
            return(0, 190000)
        }
    }
}

/// @notice A contract wallet that records what it received, as such wallets do.
contract LedgerRecipient {
    mapping(uint256 => uint256) public received;
    uint256 public count;

    receive() external payable {
        received[count++] = msg.value;
    }
}

/// @notice Sends what it receives back to the gateway at once.
contract ReturningRecipient {
    receive() external payable {
        (bool sent,) = msg.sender.call{value: msg.value}("");
        require(sent);
    }
}

/// @notice A payer that is also the recipient, and calls `pay` again during the payment.
contract ReentrantPayer {
    PaymentGateway private immutable gateway;
    bytes4 public refusal;

    constructor(PaymentGateway gateway_) {
        gateway = gateway_;
    }

    function start(bytes32 id, uint256 amount) external {
        gateway.pay(id, address(0), address(this), amount);
    }

    function startBatch(PaymentGateway.Payment[] calldata payments) external {
        gateway.payBatch(payments);
    }

    receive() external payable {
        try gateway.pay(keccak256("again"), address(0), address(this), msg.value) {}
        catch (bytes memory reason) {
            refusal = bytes4(reason);
        }
    }
}
