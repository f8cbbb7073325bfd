/**
 * Registers a cluster's functions with a FaaS platform, says beforehand what stands in the way, and takes them away again. A {@link
 * io.lambdafs.deploy.Platform} for each API, found by {@link java.util.ServiceLoader}; {@link io.lambdafs.deploy.Deployment} is what the
 * command does with any of them.
 */
@NullMarked
package io.lambdafs.deploy;

import org.jspecify.annotations.NullMarked;
