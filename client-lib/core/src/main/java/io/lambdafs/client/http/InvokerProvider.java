package io.lambdafs.client.http;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.message.Codec;
import java.util.function.Supplier;

/**
 * Provides a further {@link Invoker}, found by {@link java.util.ServiceLoader} under the name of its API. Stateless.
 */
public interface InvokerProvider {
    /** Returns the API's name in a cluster's {@code client.json}. */
    String api();

    /**
     * Opens an invoker for a client; nothing is sent yet.
     *
     * @param http called on the first call: a process that borrows connections may never make one
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT} if the configuration lacks settings of the API
     */
    Invoker open(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler);
}
