/** A cluster's directory, settings, ports and notes of processes, without its processes. */
package io.lambdafs.cluster;
