/**
 * The client: routes every operation to the deployment that caches its directory ({@link io.lambdafs.model.Placement}), carries
 * it by the hybrid of HTTP and TCP of the paper's §3.2, and repeats what failed in passing. HTTP calls go through the FaaS
 * platform's gateway and make it scale (§3.4); instances dial back to this process, and everything else goes over those
 * connections, its own or those that another process of the user lends ({@link io.lambdafs.client.Sharing}). Everything here but
 * {@link io.lambdafs.client.BlockingLambdaFs} is asynchronous.
 */
@NullMarked
package io.lambdafs.client;

import org.jspecify.annotations.NullMarked;
