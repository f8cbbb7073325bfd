package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Bound;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accepting end, behind authentication. Thread-safe; never blocks. */
final class DirectReceiver implements ConnectionHandler {
    private static final Logger log = LoggerFactory.getLogger(DirectReceiver.class);
    private static final Duration PROOF_WAIT = Duration.ofSeconds(5);
    /** Marks a connection whose caller means this instance. */
    private static final Object MEANT_FOR_US = new Object();

    private final String instance;
    private final Credentials credentials;
    private final InvalidationChannel.Receiver receiver;

    DirectReceiver(String instance, Credentials credentials, InvalidationChannel.Receiver receiver) {
        this.instance = instance;
        this.credentials = credentials;
        this.receiver = receiver;
    }

    /** The caller has proved itself: now this end does. */
    @Override
    public void opened(Connection connection) {
        connection.request(credentials.proof(), PROOF_WAIT.toNanos()).whenComplete((answer, failure) -> {
            if (!(answer instanceof Bound)) {
                log.warn("Instance {} was not accepted by its caller {}", instance, connection.remoteAddress());
                connection.close();
            }
        });
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (message instanceof Hello hello) {
            hello(connection, hello, reply);
        } else if (connection.attachment() != MEANT_FOR_US) {
            reply.accept(refused(ErrorCode.INVALID_ARGUMENT, "say first which instance is meant"));
        } else if (message instanceof Invalidation invalidation) {
            answer(receiver.invalidate(invalidation), reply);
        } else if (message instanceof Greeting greeting) {
            answer(receiver.greet(greeting), reply);
        } else {
            reply.accept(refused(ErrorCode.UNSUPPORTED, "no message for this channel"));
        }
    }

    private void hello(Connection connection, Hello hello, Consumer<Message> reply) {
        if (hello.instance().equals(instance)) {
            connection.attach(MEANT_FOR_US);
            reply.accept(Done.DONE);
        } else {
            reply.accept(refused(ErrorCode.UNAVAILABLE, "another instance listens here now"));
        }
    }

    private static void answer(CompletionStage<Acknowledgement> stage, Consumer<Message> reply) {
        stage.whenComplete((ack, failure) -> reply.accept(failure == null ? ack : Failed.of(failure)));
    }

    private static Failed refused(ErrorCode code, String why) {
        return Failed.of(new FsException(code, why));
    }
}
