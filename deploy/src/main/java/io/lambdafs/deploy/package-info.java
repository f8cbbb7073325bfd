/**
 * Registers a cluster's functions with a FaaS platform, finds obstacles in advance, and removes the functions again. A
 * {@link io.lambdafs.deploy.Platform} for each API, found by {@link java.util.ServiceLoader}; {@link
 * io.lambdafs.deploy.Deployment} is what the command does with any of them.
 */
@NullMarked
package io.lambdafs.deploy;

import org.jspecify.annotations.NullMarked;
