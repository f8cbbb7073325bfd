package io.lambdafs.client.http;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.http.HttpClient;
import java.util.function.Supplier;

/** A further way to call functions, found by {@link java.util.ServiceLoader} under the name of its API. Stateless. */
public interface InvokerProvider {
    /** The API, as a cluster's {@code client.json} names it. */
    String api();

    /**
     * Opens an invoker for a client; nothing is sent yet.
     *
     * @param http asked when the first call is made: a process that borrows connections may never make one
     * @throws io.lambdafs.model.FsException {@code INVALID_ARGUMENT}: the configuration lacks what the API needs
     */
    Invoker open(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler);
}
