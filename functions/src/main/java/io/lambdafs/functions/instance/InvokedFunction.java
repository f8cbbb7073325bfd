package io.lambdafs.functions.instance;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.openwhisk.ActionServer;
import io.lambdafs.functions.openwhisk.ActivationLog;
import io.lambdafs.functions.openwhisk.StartTimes;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The function on platforms that call a handler instead of an HTTP server, sequentially, and may freeze the process in
 * between, as AWS Lambda does. Calls have the body of {@code /run}'s {@code value} and its reply. Connecting to other
 * services starts at once in the background; {@link #start} joins the membership. Thread-safe; the methods block.
 */
public final class InvokedFunction implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(InvokedFunction.class);
    private static final byte[] BEGIN = "{\"value\":".getBytes(StandardCharsets.UTF_8);
    private static final InetSocketAddress PLATFORM = new InetSocketAddress(Hosts.loopback(), 0);
    private static final long START_LIMIT_MILLIS = 10_000;
    private static final long SETTLE_MICROS = 200;

    private final FunctionConfig config;
    private final InstanceRuntime remote;
    private final StartTimes times = new StartTimes(InstantSource.system());
    private volatile @Nullable FunctionInstance instance;
    private volatile @Nullable ActionServer server;

    private InvokedFunction(FunctionConfig config) {
        this.config = config;
        this.remote = new InstanceRuntime(config);
    }

    /**
     * Reads the configuration named by the environment and starts connecting.
     *
     * @throws FsException with the error in the environment, the configuration or the files it names
     */
    public static InvokedFunction open(Map<String, String> variables) {
        FunctionConfig config = ActionEnvironment.of(variables).configuration().read();
        // Before the first logger exists: the logging configuration refers to it.
        System.setProperty("lambdafs.log.level", config.logLevel());
        return new InvokedFunction(config);
    }

    public FunctionConfig config() {
        return config;
    }

    /**
     * Exercises the code of calls on in-memory instances, so that it is loaded and compiled. Returns when done, at the
     * latest after the limit; failures only cost time later.
     */
    public void rehearse(long limitMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            remote.rehearseAlone(() -> System.nanoTime() - end < 0).get(limitMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.info("The rehearsal was cut short: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Starts the instance, whose join continues in the background. Called once.
     *
     * @param deployment 0-based
     * @param id of the instance; never reused
     */
    public FunctionInstance start(int deployment, String id) {
        ActionServer.Context context = new ActionServer.Context(
                (number, name) -> {
                    FunctionInstance made = remote.start(number, name);
                    instance = made;
                    return made;
                },
                remote.tokens(),
                remote.codec(),
                remote.scheduler(),
                new ActivationLog(false, System.out, System.err),
                times,
                remote.steadiness());
        ActionServer made = new ActionServer(context, id, null, OptionalInt.empty());
        server = made;
        String function = "{\"name\":\"nn" + deployment + "\"}";
        await(made.handle(call("/init", function.getBytes(StandardCharsets.UTF_8))));
        return instance();
    }

    public boolean isStarted() {
        return instance != null;
    }

    /** Returns the instance. */
    public FunctionInstance instance() {
        FunctionInstance made = instance;
        if (made == null) {
            throw new IllegalStateException("not started");
        }
        return made;
    }

    /**
     * Serves a call.
     *
     * @param body a JSON object with {@code v}, {@code request}, {@code token}, {@code tcp}
     * @return its reply, a JSON object
     * @throws FsException if the function itself could not be called; an operation's failure is in its reply
     */
    public byte[] call(byte[] body) {
        ActionServer made = server;
        if (made == null) {
            throw new IllegalStateException("not started");
        }
        return await(made.handle(call("/run", body)));
    }

    /**
     * Releases the lease and waits until the store holds no locks for this process, because others would wait on a
     * frozen process.
     *
     * @param limitMillis total limit, after which the store ends remaining transactions by its own timeout
     * @throws FsException if the lease could not be released; others will fence this instance
     */
    public void suspend(long limitMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            instance().suspend().toCompletableFuture().get(limitMillis, TimeUnit.MILLISECONDS);
            while (remote.openTransactions() > 0 && System.nanoTime() - end < 0) {
                TimeUnit.MICROSECONDS.sleep(SETTLE_MICROS);
            }
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (TimeoutException e) {
            throw new FsException(ErrorCode.TIMED_OUT, "the lease was not given back within " + limitMillis + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while the lease was given back", e);
        }
    }

    private static HttpCall call(String path, byte[] value) {
        ByteArrayOutputStream wrapped = new ByteArrayOutputStream();
        wrapped.writeBytes(BEGIN);
        wrapped.writeBytes(value);
        wrapped.write('}');
        return new HttpCall("POST", path, Map.of(), Map.of(), wrapped.toByteArray(), PLATFORM);
    }

    private byte[] await(CompletionStage<HttpReply> stage) {
        long limit = Math.max(START_LIMIT_MILLIS, config.times().attempt().toMillis());
        try {
            HttpReply reply = stage.toCompletableFuture().get(limit, TimeUnit.MILLISECONDS);
            if (reply.status() != 200) {
                throw new FsException(
                        reply.status() == 400 ? ErrorCode.INVALID_ARGUMENT : ErrorCode.FUNCTION_FAILED,
                        "the function answered " + reply.status() + ": "
                                + new String(reply.body(), StandardCharsets.UTF_8));
            }
            return reply.body();
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (TimeoutException e) {
            throw new FsException(ErrorCode.TIMED_OUT, "the function did not answer within " + limit + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while a call was served", e);
        }
    }

    /** Leaves in order, within its time limit, and ends all connections and threads. */
    @Override
    public void close() {
        ActionServer made = server;
        if (made != null) {
            try {
                made.leave().toCompletableFuture().get(START_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                log.warn("The instance could not leave in order, and will be fenced: {}", e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        remote.close();
    }
}
