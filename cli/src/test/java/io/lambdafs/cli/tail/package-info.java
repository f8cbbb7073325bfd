/** What the turns without and with a measure against long tails become in the end. */
package io.lambdafs.cli.tail;
