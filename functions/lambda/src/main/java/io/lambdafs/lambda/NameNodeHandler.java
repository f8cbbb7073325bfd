package io.lambdafs.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.instance.InvokedFunction;
import io.lambdafs.functions.serving.FunctionInstance;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler that AWS Lambda's Java runtime calls. Each invocation acquires a lease under a fresh epoch and releases
 * it before returning, so the process may then be frozen for any time, whether its clocks stop or not, and nothing
 * waits for it. State created before a snapshot has no identity: ids, secrets, connections and epochs belong to the
 * process resumed from it. Lambda calls one method at a time.
 */
public final class NameNodeHandler implements RequestStreamHandler, Resource {
    static {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "logback-lambda.xml");
        }
    }

    private static final Logger log = LoggerFactory.getLogger(NameNodeHandler.class);
    /** Lambda allows ten seconds before a snapshot. */
    private static final long REHEARSAL_MILLIS = 6_000;
    /** Maximum duration of a return, once operations under way have ended. */
    private static final long RETURN_MILLIS = 3_000;

    private final Map<String, String> variables;
    private final LambdaSettings settings;
    private @Nullable InvokedFunction function;

    public NameNodeHandler() {
        this(System.getenv());
    }

    NameNodeHandler(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
        this.settings = LambdaSettings.of(variables);
        InvokedFunction opened = open();
        if (settings.fromSnapshot()) {
            opened.rehearse(REHEARSAL_MILLIS);
            Core.getGlobalContext().register(this);
        }
    }

    private InvokedFunction open() {
        InvokedFunction opened = InvokedFunction.open(variables);
        FunctionConfig.Coordination coordination = opened.config().coordination();
        if (coordination.inv() != FunctionConfig.Coordination.Inv.RELAYED
                || coordination.keeper() != FunctionConfig.Coordination.Keeper.STORE) {
            opened.close();
            throw FsException.invalidArgument(
                    "configuration: on Lambda \"inv\" must be \"relayed\" and \"coordinator\" \"store\":"
                            + " its instances take no connections, and keep no session while they are frozen; correct it");
        }
        function = opened;
        return opened;
    }

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context) throws IOException {
        byte[] body = input.readAllBytes();
        InvokedFunction opened = function == null ? open() : function;
        Call call = Call.parse(body);
        boolean maySettle = settings.mode() == LambdaSettings.Mode.HELD && call.offersConnections();
        try {
            FunctionInstance instance = serving(opened, maySettle);
            long before = instance.billedMillis();
            byte[] reply = opened.call(body);
            if (maySettle && !call.hasRequest()) {
                new Stay(settings, context::getRemainingTimeInMillis).hold(instance, call);
                reply = withActive(reply, instance.billedMillis() - before);
            }
            output.write(reply);
        } finally {
            giveBack(opened);
        }
    }

    /** Acquires the lease; the join runs while the call is read. */
    private FunctionInstance serving(InvokedFunction opened, boolean dials) {
        FunctionInstance instance;
        if (opened.isStarted()) {
            instance = opened.instance();
        } else {
            instance = opened.start(settings.deployment(), id());
        }
        CompletionStage<Void> joined = instance.resume(dials);
        joined.whenComplete((done, failure) -> {
            if (failure != null) {
                log.warn("The join failed: {}", FsException.of(failure).getMessage());
            }
        });
        return instance;
    }

    /** Adds the time spent serving, besides the billed time, to the reply of a call without a request. */
    private static byte[] withActive(byte[] reply, long millis) {
        String text = new String(reply, StandardCharsets.UTF_8).stripTrailing();
        return (text.substring(0, text.length() - 1) + ",\"activeMillis\":" + millis + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a fresh id. A generator created before the snapshot would yield the same id in every copy. */
    static String id() {
        byte[] bytes = new byte[8];
        new SecureRandom().nextBytes(bytes);
        return "l" + HexFormat.of().formatHex(bytes);
    }

    private static void giveBack(InvokedFunction opened) {
        if (!opened.isStarted()) {
            return;
        }
        try {
            opened.suspend(RETURN_MILLIS);
        } catch (FsException e) {
            log.warn("The lease could not be given back, others will fence this instance: {}", e.getMessage());
        }
    }

    /** Closes connections and drops names, which must not be part of the snapshot. */
    @Override
    public void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
        InvokedFunction opened = function;
        function = null;
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public void afterRestore(org.crac.Context<? extends Resource> context) {
        open();
    }
}
