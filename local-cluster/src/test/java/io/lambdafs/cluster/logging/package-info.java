/** Where processes log, and what. */
package io.lambdafs.cluster.logging;
