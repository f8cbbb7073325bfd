package io.lambdafs.client.http;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.message.Codec;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Creates the invoker for a cluster's API. Stateless. */
public final class Invokers {
    private Invokers() {}

    /**
     * Opens the invoker named by a configuration, at its emulated distance.
     *
     * @throws FsException {@code INVALID_ARGUMENT} if there is none, or the configuration lacks its settings
     */
    public static Invoker open(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler) {
        Invoker near = near(config, http, codec, scheduler);
        Duration distance = config.distance().http();
        return distance.isZero() ? near : new DistantInvoker(near, scheduler, distance);
    }

    private static Invoker near(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler) {
        String api = config.api().name();
        if (api.equals(ClientConfig.ApiUse.OPENWHISK) || api.equals(ClientConfig.ApiUse.HTTP)) {
            return new HttpInvoker(config, http, codec, scheduler);
        }
        for (InvokerProvider each : ServiceLoader.load(InvokerProvider.class, InvokerProvider.class.getClassLoader())) {
            if (each.api().equals(api)) {
                return each.open(config, http, codec, scheduler);
            }
        }
        throw FsException.invalidArgument("this client cannot call functions by the API \"" + api
                + "\": it knows openwhisk and http; put the jar that knows it on the class path");
    }
}
