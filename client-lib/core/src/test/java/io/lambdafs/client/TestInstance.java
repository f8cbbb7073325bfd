package io.lambdafs.client;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.testkit.PatientWaits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.Authentication;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.Register;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** An instance that dials back, authenticates its callers as real ones do, and answers as the test says. Thread-safe. */
public final class TestInstance implements ConnectionHandler {
    /** How an operation is answered: a reply now, or by a stage; a stage that never completes answers never. */
    public interface Behaviour extends Function<OperationRequest, CompletionStage<Reply>> {}

    private static final long WAIT_NANOS = PatientWaits.PATIENCE.toNanos();

    private final Transport transport;
    private final Tokens tokens;
    private final String name;
    private final int deployment;
    private final long epoch;
    private final Queue<OperationRequest> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Principal> principals = new ConcurrentLinkedQueue<>();
    private final Queue<Connection> connections = new ConcurrentLinkedQueue<>();
    private final Queue<Failed> refusals = new ConcurrentLinkedQueue<>();
    private volatile Behaviour behaviour = request -> CompletableFuture.completedFuture(new Reply.Done(true));

    public TestInstance(Transport transport, Tokens tokens, int deployment, long epoch) {
        this.transport = transport;
        this.tokens = tokens;
        this.name = "i-" + deployment + "-" + epoch;
        this.deployment = deployment;
        this.epoch = epoch;
    }

    public TestInstance answers(Behaviour newBehaviour) {
        behaviour = newBehaviour;
        return this;
    }

    public TestInstance answersWith(Function<OperationRequest, Reply> function) {
        return answers(request -> CompletableFuture.completedFuture(function.apply(request)));
    }

    /** Refuses the next request so, before it is looked at. */
    public void refusesNext(ErrorCode code) {
        refusals.add(new Failed(code, "says the test"));
    }

    /** Dials an offer and registers; the answer is {@code Done} or {@code Failed}, or a failure. */
    public CompletionStage<Message> dial(TcpOffer offer) {
        return transport
                .connect(new InetSocketAddress(offer.host(), offer.port()), Authentication.ofClients(tokens, this))
                .thenCompose(connection -> {
                    connections.add(connection);
                    return connection.request(new Register(deployment, name, epoch, offer.registration()), WAIT_NANOS);
                });
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        OperationRequest request = (OperationRequest) message;
        requests.add(request);
        Failed refusal = refusals.poll();
        if (refusal != null) {
            reply.accept(refusal);
            return;
        }
        principals.add(Authentication.principal(connection, request.principal()));
        behaviour
                .apply(request)
                .thenAccept(answer -> reply.accept(new OperationReply(deployment, epoch, true, answer)));
    }

    public List<OperationRequest> requests() {
        return List.copyOf(requests);
    }

    public List<Principal> principals() {
        return List.copyOf(principals);
    }

    public long epoch() {
        return epoch;
    }

    /** Loses every connection. */
    public void cut() {
        connections.forEach(Connection::close);
        connections.clear();
    }
}
