package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The accepting end of a direct channel, behind the proof. Thread-safe; never blocks. */
final class DirectReceiver implements ConnectionHandler {
    private final InvalidationChannel.Receiver receiver;

    DirectReceiver(InvalidationChannel.Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (message instanceof Invalidation invalidation) {
            answer(receiver.invalidate(invalidation), reply);
        } else if (message instanceof Greeting greeting) {
            answer(receiver.greet(greeting), reply);
        } else {
            reply.accept(Failed.of(new FsException(ErrorCode.UNSUPPORTED, "no message for this channel")));
        }
    }

    private static void answer(CompletionStage<Acknowledgement> stage, Consumer<Message> reply) {
        stage.whenComplete((ack, failure) -> reply.accept(failure == null ? ack : Failed.of(failure)));
    }
}
