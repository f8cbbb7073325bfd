/**
 * How the local platform starts and speaks to function instances: an SPI, {@link InstanceLauncher}, with two
 * implementations. {@link ProcessLauncher} runs every instance as a process of its own that speaks OpenWhisk's action
 * protocol; {@link InJvmLauncher} runs functions inside this JVM, for tests and simulation.
 */
@NullMarked
package io.lambdafs.platform.local.instance;

import org.jspecify.annotations.NullMarked;
