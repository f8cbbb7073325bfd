/**
 * The SPI by which the local platform starts and calls function instances, {@link InstanceLauncher}. {@link
 * ProcessLauncher} runs every instance as a process of its own that speaks OpenWhisk's action protocol; the tests'
 * launcher runs functions inside their JVM.
 */
@NullMarked
package io.lambdafs.platform.local.instance;

import org.jspecify.annotations.NullMarked;
